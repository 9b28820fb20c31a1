package org.murmur.p2p.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Attempts;
import org.murmur.p2p.discovery.Endpoint;

/**
 * Our own line to the network. Nobody says whether it stands: that is told from who is heard, and
 * decides which calls in vain are an address's fault, and how many more are made.
 */
public final class Line {

  /** Calls in a second: all of them may fail at once, and other things are to be done besides. */
  public static final int MAX_CALLS = 32;

  /** Calls between two pauses, after so many that nobody was heard since. */
  static final int BATCH = 8;

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Peers are heard at least so often: after a minute of silence they are asked for a pong. */
  private static final Duration STOOD = Duration.ofMinutes(2);

  private final boolean stays;
  // Calls in vain, until a peer is heard.
  private final Map<Endpoint, Instant> inVain = new LinkedHashMap<>();
  // When somebody was last heard, if somebody was there all the time since.
  private @Nullable Instant heardAt;
  private boolean everHeard;
  private int callsSince;
  private int pauses;
  private int left;
  private Instant until = Instant.EPOCH;

  /**
   * Makes a line of which nothing is known.
   *
   * @param stays whether the session is to outlive an outage
   */
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

  /** A call is made. */
  void called() {
    left--;
    callsSince++;
  }

  /** When another call may be made, if none may be made now. */
  @Nullable Instant due() {
    return left > 0 ? null : until;
  }

  /** A call came to nothing. It counts when somebody is heard soon after, as before. */
  void inVain(Endpoint endpoint, Instant now) {
    if (isRecent(heardAt, now)) {
      inVain.put(endpoint, now);
    }
  }

  /**
   * Somebody says something. Calls in vain count only between two such signs that are close to each
   * other, and while somebody is connected: when our own network is down nobody can be reached, and
   * no address is the worse for it.
   *
   * @param counted is told of those that count, and when that was
   */
  void heard(Instant now, BiConsumer<Endpoint, Instant> counted) {
    heardAt = now;
    everHeard = true;
    inVain.forEach(
        (endpoint, at) -> {
          if (isRecent(at, now)) {
            counted.accept(endpoint, at);
          }
        });
    inVain.clear();
    callsSince = 0;
    if (pauses > 0) {
      hurry();
    }
  }

  private static boolean isRecent(@Nullable Instant at, Instant now) {
    return at != null && !now.isAfter(at.plus(STOOD));
  }

  /** Nobody is there: perhaps the line went, and the calls just before were its last. */
  void nobodyIsThere() {
    inVain.clear();
    heardAt = null;
  }

  /** This end was away, so the line may be another one. */
  void hurry() {
    callsSince = 0;
    pauses = 0;
    until = Instant.EPOCH;
  }

  /** Whether any peer was heard in this session. */
  boolean wasEverHeard() {
    return everHeard;
  }

  /** How many calls are remembered. */
  int remembered() {
    return inVain.size();
  }
}
