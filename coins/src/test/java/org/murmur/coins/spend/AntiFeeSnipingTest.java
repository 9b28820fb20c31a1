package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AntiFeeSnipingTest {

  private static final Duration YOUNG = Duration.ofHours(8);

  /** One in ten is 0 to 99 blocks back; of 10,000, between 800 and 1,200. */
  @Test
  void isTheTipAndSometimesAnOlderBlock() {
    Draws draws = Draws.ofSeed(5);
    int older = 0;
    int oldest = 900_000;
    for (int i = 0; i < 10_000; i++) {
      int lockTime = AntiFeeSniping.draw(900_000, YOUNG, draws);
      assertThat(lockTime).isBetween(899_901, 900_000);
      older += lockTime < 900_000 ? 1 : 0;
      oldest = Math.min(oldest, lockTime);
    }
    assertThat(older).isBetween(800, 1_200);
    assertThat(oldest).isLessThan(899_910);
  }

  @Test
  void isNothingWhereTheTipIsOld() {
    assertThat(AntiFeeSniping.draw(900_000, YOUNG.plusSeconds(1), Draws.ofSeed(1))).isZero();
  }

  @Test
  void isNeverNegative() {
    Draws draws = Draws.ofSeed(9);
    for (int i = 0; i < 1_000; i++) {
      assertThat(AntiFeeSniping.draw(3, Duration.ZERO, draws)).isBetween(0, 3);
    }
  }
}
