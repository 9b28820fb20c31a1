package org.murmur.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.FilterTheory;
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

  /** From published tables of exact intervals; the last two by hand: 0.025^(1/10), 0.005^(1/3). */
  @ParameterizedTest
  @CsvSource({
    "1, 10, 0.95, 0.002529, 0.445016",
    "5, 10, 0.95, 0.187086, 0.812914",
    "3, 20, 0.95, 0.032071, 0.378927",
    "0, 10, 0.95, 0, 0.308497",
    "3, 3, 0.99, 0.170998, 1"
  })
  void ratesAreThoseOfClopperAndPearson(
      long hits, long trials, double confidence, double low, double high) {
    Interval rate = Binomial.rate(hits, trials, confidence);
    assertThat(rate.low()).isCloseTo(low, within(1e-6));
    assertThat(rate.high()).isCloseTo(high, within(1e-6));
  }

  /** The interval around a count contains a rate if the interval of that rate's counts has it. */
  @Test
  void ratesAndCountsAreTwoSidesOfOneTest() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      long trials = 1L + random.nextInt(i < 150 ? 40 : 20_000);
      double rate = Math.pow(random.nextDouble(), 4);
      double confidence = 1 - Math.pow(10, -1 - 4 * random.nextDouble());
      Interval counts = Binomial.counts(trials, rate * trials, confidence);
      long hits = Math.min(trials, (long) (rate * trials * 2.5 * random.nextDouble()));
      assertThat(Binomial.rate(hits, trials, confidence).holds(rate))
          .as("seed %d: %d of %d at %s, %s", seed, hits, trials, rate, confidence)
          .isEqualTo(counts.holds((double) hits));
    }
  }

  /** Wilson's interval of 1 hit in 10,000 begins above 6e-6, and 6 of 100 true rates below hit. */
  @Test
  void oneHitIsPossibleAtAVerySmallRate() {
    double confidence = Binomial.each(0.99, 20);
    assertThat(confidence).isCloseTo(0.9995, within(1e-12));
    assertThat(Binomial.rate(1, 10_000, confidence).low()).isCloseTo(2.5e-8, within(1e-10));
    assertThat(FilterTheory.wilson(1, 10_000, Normal.z(confidence)).low()).isGreaterThan(6e-6);
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
