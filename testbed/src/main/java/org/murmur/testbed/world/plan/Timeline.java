package org.murmur.testbed.world.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Virtual time: the events to come, in order, and whether random faults still happen. Times are
 * nanoseconds since the world began.
 */
public final class Timeline {

  public static final long SECOND = 1_000_000_000L;

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
  public Timeline(long epochSecond) {
    this.epochSecond = epochSecond;
  }

  public long now() {
    return now;
  }

  /** Now, by the calendar. */
  public Instant instant() {
    return Instant.ofEpochSecond(epochSecond, now);
  }

  /** Now, in seconds since 1970. */
  public long seconds() {
    return epochSecond + now / SECOND;
  }

  /** The time of an instant; now if that has passed. */
  public long at(Instant instant) {
    return Math.max(now, Duration.between(Instant.ofEpochSecond(epochSecond), instant).toNanos());
  }

  /** Plans an event after a while. */
  public void later(long nanos, Runnable action) {
    at(now + nanos, action);
  }

  /** Plans an event at a time, after those already planned for the same time. */
  public void at(long nanos, Runnable action) {
    queue.add(new Event(nanos, order++, action));
  }

  /** Moves on to the next event, and returns it. */
  public Runnable next() {
    Event next = queue.poll();
    if (next == null) {
      throw new AssertionError("nothing is left to happen, and it is not over");
    }
    now = Math.max(now, next.at());
    return next.action();
  }

  public void calmDown() {
    phase = Phase.CALM;
    calmAt = now;
  }

  public void end() {
    phase = Phase.OVER;
  }

  public boolean isUnrest() {
    return phase == Phase.UNREST;
  }

  public boolean isCalm() {
    return phase == Phase.CALM;
  }

  public boolean isOver() {
    return phase == Phase.OVER;
  }

  /** When the calm began. */
  public long calmAt() {
    return calmAt;
  }
}
