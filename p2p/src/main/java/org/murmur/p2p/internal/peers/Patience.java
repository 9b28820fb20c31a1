package org.murmur.p2p.internal.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.sync.DisconnectReason;

/**
 * How long one peer may keep us waiting. Two measures: the time since it last earned patience, and
 * its pace, which is what it earned in bytes over a minute.
 *
 * <p>There is one rule. A message earns patience if it answers an open request, brings something
 * new, and the peer owes nothing more urgent ({@link Answer}). Repetitions and unrequested messages
 * earn none. Only whole messages count, so dripping bytes earn nothing.
 */
public final class Patience {

  /**
   * The minimum pace while something is owed. A filtered block without matches has 143 bytes, so
   * this is one such block in three seconds. The slowest honest nodes (a small computer, through
   * Tor) serve ten a second and more.
   */
  static final int MIN_BYTES_A_SECOND = 50;

  /** The pace is measured over this time, so that one long answer may take its time. */
  static final Duration PACE_TAKEN_OVER = Duration.ofSeconds(60);

  /**
   * A slower peer is worth a word while the session waits for it: three filtered blocks without
   * matches a second.
   */
  static final int SLOW_BYTES_A_SECOND = 500;

  /** How long a peer may be that slow before the first word. */
  static final Duration SLOW_TAKEN_OVER = Duration.ofSeconds(10);

  /** How little came. */
  public record Slowness(long bytes, Duration time) {}

  /** The content of a message, the least urgent first. */
  public enum Answer {
    /** An unconfirmed transaction, or a notfound for it. */
    NEWS,
    /** Headers that do not make the chain grow. */
    HEADERS,
    /** A block, a part of one, headers that make the chain grow, or a pong. */
    PROGRESS
  }

  private Instant since;
  private @Nullable Instant paceSince;
  private long paceBytes;
  // Whether the pace was looked at for a word about it, since it is measured.
  private boolean looked;
  // Bytes of the current message.
  private int atHand;

  Patience(Instant since) {
    this.since = since;
  }

  /** When the peer last earned patience, or got a request while it owed nothing. */
  public Instant since() {
    return since;
  }

  /** It gets a request while it owes nothing, or its time away is forgiven. */
  public void begins(Instant at) {
    since = at;
  }

  /** A message has come, and is about to be processed. */
  public void heard(int wireBytes) {
    atHand = wireBytes;
  }

  /**
   * The current message is an answer with new content, which counts if it is as urgent as {@code
   * urgent}, by what the peer owes.
   */
  void earns(Answer answer, Answer urgent, Instant now) {
    if (answer.compareTo(urgent) >= 0) {
      since = now;
      paceBytes += atHand;
      atHand = 0;
    }
  }

  /** Refuses a peer that earns less than it must while it owes something. */
  public Refusal pace(boolean owes, Instant now) {
    Instant begun = paceSince;
    if (!owes) {
      paceSince = null;
      return Refusal.NONE;
    }
    if (begun == null) {
      paceSince = now;
      paceBytes = 0;
      looked = false;
      return Refusal.NONE;
    }
    if (now.isBefore(begun.plus(PACE_TAKEN_OVER))) {
      return Refusal.NONE;
    }
    double seconds = Duration.between(begun, now).toMillis() / 1e3;
    long bytes = paceBytes;
    paceSince = now;
    paceBytes = 0;
    looked = false;
    return bytes >= MIN_BYTES_A_SECOND * seconds
        ? Refusal.NONE
        : new Refusal(
            DisconnectReason.SLOW,
            String.format(
                Locale.ROOT,
                "sent %d bytes of the requested data in %.0f seconds, and owed more",
                bytes,
                seconds));
  }

  /** Whether a peer that owes something is slow enough for a word about it. */
  public Optional<Slowness> slowness(Instant now) {
    Instant begun = paceSince;
    if (begun == null || now.isBefore(begun.plus(SLOW_TAKEN_OVER))) {
      return Optional.empty();
    }
    looked = true;
    Duration time = Duration.between(begun, now);
    return paceBytes * 1000 < SLOW_BYTES_A_SECOND * time.toMillis()
        ? Optional.of(new Slowness(paceBytes, time))
        : Optional.empty();
  }

  /** When to check the pace next, or null while nothing is owed. */
  public @Nullable Instant paceDue() {
    Instant begun = paceSince;
    return begun == null ? null : begun.plus(looked ? PACE_TAKEN_OVER : SLOW_TAKEN_OVER);
  }
}
