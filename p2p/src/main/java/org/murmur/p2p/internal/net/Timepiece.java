package org.murmur.p2p.internal.net;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Compares the clock with a counter that cannot be set and stops during sleep ({@link
 * System#nanoTime} on Linux, Android and macOS). When they diverge, the clock was set or the
 * computer slept.
 */
final class Timepiece {

  /** Clocks are adjusted slightly all the time; smaller differences are not reported. */
  static final Duration JUMP = Duration.ofSeconds(2);

  /** A wait that takes this much too long: the process was stopped, not only busy. */
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

  /** The clock's time. */
  Instant now() {
    return clock.instant();
  }

  /** The counter's value. */
  long nanos() {
    return nanos.getAsLong();
  }

  /** The counter's value at a time of the clock, unless the clock is set. */
  long nanosAt(Instant time) {
    return nanos.getAsLong() + Duration.between(clock.instant(), time).toNanos();
  }

  /** A wait ended that should have ended at this count at the latest. */
  void waited(long due) {
    Duration late = Duration.ofNanos(nanos.getAsLong() - due);
    if (late.compareTo(LATE) > 0) {
      stopped = stopped.plus(late);
    }
  }

  /** Time that the clock gained on the counter; zero if negligible. */
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
