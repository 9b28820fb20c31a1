package org.murmur.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.murmur.bip37.FilterTheory.Interval;

class BinomialTest {

  /** Ten throws of a coin: 0 or 10 heads come 2 of 1,024 times, 1 or 9 come 20 times. */
  @Test
  void excludesRareCounts() {
    assertThat(Binomial.counts(10, 5, 1 - 1.9 / 1024)).isEqualTo(new Interval(0, 10));
    assertThat(Binomial.counts(10, 5, 1 - 2.1 / 1024)).isEqualTo(new Interval(1, 9));
    assertThat(Binomial.counts(10, 5, 1 - 21.9 / 1024)).isEqualTo(new Interval(1, 9));
    assertThat(Binomial.counts(10, 5, 1 - 22.1 / 1024)).isEqualTo(new Interval(2, 8));
  }

  /** A hundred trials of 1 in 100: none comes with 0.366, four or more with 0.018. */
  @Test
  void fewHitsScatterFarUp() {
    assertThat(Binomial.counts(100, 1, 0.96)).isEqualTo(new Interval(0, 3));
    assertThat(Binomial.counts(100, 1, 0.97)).isEqualTo(new Interval(0, 4));
  }

  @Test
  void certainOutcomesDoNotScatter() {
    assertThat(Binomial.counts(0, 0, 0.99)).isEqualTo(new Interval(0, 0));
    assertThat(Binomial.counts(7, 0, 0.99)).isEqualTo(new Interval(0, 0));
    assertThat(Binomial.counts(7, 7, 0.99)).isEqualTo(new Interval(7, 7));
  }

  /** z = 2.576; a million trials, half of which succeed, deviate by 500. */
  @Test
  void manyTrialsAreNormal() {
    Interval many = Binomial.counts(1_000_000, 500_000, 0.99);
    assertThat(many.low()).isBetween(498_710.0, 498_714.0);
    assertThat(many.high()).isBetween(501_286.0, 501_290.0);
  }
}
