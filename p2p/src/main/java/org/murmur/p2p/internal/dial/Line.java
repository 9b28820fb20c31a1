package org.murmur.p2p.internal.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.internal.discovery.Attempts;

/**
 * Our own connection to the network. Messages from peers show that it works. It decides which
 * failed calls count against an address, and limits the rate of calls.
 */
final class Line {

  /** Maximum number of calls in a second, because all of them may fail at once. */
  static final int MAX_CALLS = 32;

  /** Calls between two pauses, after {@link #MAX_CALLS} calls without any message. */
  static final int BATCH = 8;

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** While the line works, peers send at least this often: silent ones are pinged every minute. */
  private static final Duration STOOD = Duration.ofMinutes(2);

  private final boolean stays;
  // Failed calls since the last message of a peer.
  private final Map<Endpoint, Instant> failed = new LinkedHashMap<>();
  // Time of the last message; null if at some time since then no peer was connected.
  private @Nullable Instant heardAt;
  private boolean everHeard;
  private int callsSince;
  private int pauses;
  private int left;
  private Instant until = Instant.EPOCH;

  /** Creates a line in unknown state, for a session that stays until an outage ends or does not. */
  Line(boolean stays) {
    this.stays = stays;
  }

  /** Whether another call may be made now. */
  boolean mayCall(Instant now) {
    if (!now.isBefore(until)) {
      boolean down = stays && everHeard && callsSince >= MAX_CALLS;
      left = down ? BATCH : MAX_CALLS;
      until = now.plus(down ? Attempts.pauseAfter(++pauses) : SECOND);
    }
    return left > 0;
  }

  void called() {
    left--;
    callsSince++;
  }

  /** When another call may be made, if none may be made now. */
  @Nullable Instant due() {
    return left > 0 ? null : until;
  }

  /** A call failed. It counts if peers sent messages shortly before and after it. */
  void failed(Endpoint endpoint, Instant now) {
    if (isRecent(heardAt, now)) {
      failed.put(endpoint, now);
    }
  }

  /**
   * A peer sent something. Failed calls count, and are given with their times, only between two
   * messages that are close to each other, while some peer is connected: if our own network is
   * down, no address is at fault.
   */
  void heard(Instant now, BiConsumer<Endpoint, Instant> counted) {
    heardAt = now;
    everHeard = true;
    failed.forEach(
        (endpoint, at) -> {
          if (isRecent(at, now)) {
            counted.accept(endpoint, at);
          }
        });
    failed.clear();
    callsSince = 0;
    if (pauses > 0) {
      hurry();
    }
  }

  private static boolean isRecent(@Nullable Instant at, Instant now) {
    return at != null && !now.isAfter(at.plus(STOOD));
  }

  /** No peer is connected: perhaps the line failed, and with it the last calls. */
  void nobodyIsThere() {
    failed.clear();
    heardAt = null;
  }

  /** This computer was offline: the line may be another one now. */
  void hurry() {
    callsSince = 0;
    pauses = 0;
    until = Instant.EPOCH;
  }

  /** Whether any peer sent something in this session. */
  boolean wasEverHeard() {
    return everHeard;
  }

  /** The number of remembered calls. */
  int remembered() {
    return failed.size();
  }
}
