package org.murmur.p2p.net;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * A clock beside a counter that nobody can set and that stands still while the computer sleeps
 * ({@link System#nanoTime} on Linux, Android and macOS): where they part, the clock jumped.
 */
final class Timepiece {

  /** Clocks are corrected by little all the time; that is followed without a word. */
  static final Duration JUMP = Duration.ofSeconds(2);

  /** A wait that takes so much longer than it should: the process was stopped, not merely busy. */
  static final Duration LATE = Duration.ofSeconds(10);

  private final Clock clock;
  private final LongSupplier nanos;
  private Instant lastTime;
  private long lastNanos;
  private Duration stopped = Duration.ZERO;

  Timepiece(Clock clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    this.lastTime = clock.instant();
    this.lastNanos = nanos.getAsLong();
  }

  /** What the clock shows. */
  Instant now() {
    return clock.instant();
  }

  /** What the counter shows. */
  long nanos() {
    return nanos.getAsLong();
  }

  /** When the clock shows a time, on the counter, if nobody sets the clock. */
  long nanosAt(Instant time) {
    return nanos.getAsLong() + Duration.between(clock.instant(), time).toNanos();
  }

  /** A wait was to end at this count at the latest, and is over. */
  void waited(long due) {
    Duration late = Duration.ofNanos(nanos.getAsLong() - due);
    if (late.compareTo(LATE) > 0) {
      stopped = stopped.plus(late);
    }
  }

  /**
   * By how much the clock gained on the time in which this end was awake; zero for next to none.
   */
  Duration jump() {
    Instant time = clock.instant();
    long count = nanos.getAsLong();
    Duration gained =
        Duration.between(lastTime, time).minus(Duration.ofNanos(count - lastNanos)).plus(stopped);
    lastTime = time;
    lastNanos = count;
    stopped = Duration.ZERO;
    return gained.abs().compareTo(JUMP) < 0 ? Duration.ZERO : gained;
  }
}
