package org.murmur.coins.spend;

import java.time.Duration;

/**
 * The lock time against fee sniping, drawn as in Core.
 *
 * <p>A payment that only the next block may contain gives a miner no reason to mine the last block
 * again. One payment in ten is locked to an older block, so that those that were signed long before
 * they were sent do not stand out.
 */
final class AntiFeeSniping {

  /** With an older tip the wallet is behind, and the height would reveal it: 8 hours as in Core. */
  private static final Duration MAX_TIP_AGE = Duration.ofHours(8);

  private static final int ONE_IN = 10;
  private static final int MAX_BACK = 100;

  private AntiFeeSniping() {}

  /**
   * Draws a lock time for a tip of this height and age: a height, or 0 if the newest block is old.
   */
  public static int draw(int height, Duration age, Draws draws) {
    if (age.compareTo(MAX_TIP_AGE) > 0) {
      return 0;
    }
    if (draws.below(ONE_IN) == 0) {
      return Math.max(0, height - draws.below(MAX_BACK));
    }
    return height;
  }
}
