package org.murmur.regtest.world;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Virtual time: what is to happen, in order, and whether things still go wrong. Times are
 * nanoseconds since the world began.
 */
final class Timeline {

  static final long SECOND = 1_000_000_000L;

  private record Event(long at, long order, Runnable action) {}

  private enum Phase {
    UNREST,
    CALM,
    OVER
  }

  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private final long epochSecond;
  private long now;
  private long order;
  private Phase phase = Phase.UNREST;
  private long calmAt;

  /** Begins at a second of the calendar, in unrest. */
  Timeline(long epochSecond) {
    this.epochSecond = epochSecond;
  }

  long now() {
    return now;
  }

  /** Now, by the calendar. */
  Instant instant() {
    return Instant.ofEpochSecond(epochSecond, now);
  }

  /** Now, in seconds since 1970. */
  long seconds() {
    return epochSecond + now / SECOND;
  }

  /** The time of an instant; now if that has passed. */
  long at(Instant instant) {
    return Math.max(now, Duration.between(Instant.ofEpochSecond(epochSecond), instant).toNanos());
  }

  /** Lets something happen after a while. */
  void later(long nanos, Runnable action) {
    at(now + nanos, action);
  }

  /** Lets something happen at a time, behind what is to happen at the same time already. */
  void at(long nanos, Runnable action) {
    queue.add(new Event(nanos, order++, action));
  }

  /** Moves on to what happens next, and returns it. */
  Runnable next() {
    Event next = queue.poll();
    if (next == null) {
      throw new AssertionError("nothing is left to happen, and it is not over");
    }
    now = Math.max(now, next.at());
    return next.action();
  }

  void calmDown() {
    phase = Phase.CALM;
    calmAt = now;
  }

  void end() {
    phase = Phase.OVER;
  }

  boolean isUnrest() {
    return phase == Phase.UNREST;
  }

  boolean isCalm() {
    return phase == Phase.CALM;
  }

  boolean isOver() {
    return phase == Phase.OVER;
  }

  /** When it calmed down. */
  long calmAt() {
    return calmAt;
  }
}
