package org.murmur.p2p.dial;

import java.time.Duration;

/** When somebody is called again: soon, then after pauses that double, up to a minute. */
final class Retries {

  /** How often a peer that once answered is called before a one-off sync gives it up. */
  static final int MAX_CALLS = 4;

  /** The longest pause before calling again. */
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  /** Doubled so often it is longer than the longest. */
  private static final int MAX_DOUBLINGS = 10;

  private Retries() {}

  /**
   * Returns how long to wait.
   *
   * @param calls how many calls came to nothing
   */
  static Duration pauseAfter(int calls) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(calls, MAX_DOUBLINGS));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }
}
