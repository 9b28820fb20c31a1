package org.murmur.lab.fp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.FilterTheory.Interval;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Shard;
import org.murmur.lab.stats.Binomial;
import org.murmur.lab.stats.Normal;

/** The verdict of several measurements on a claim. */
class ComparisonTest {

  private final Comparison comparison = new Comparison();

  private ClaimVerdict verdict() {
    return comparison.verdict("the rate is as predicted", "rates");
  }

  @Test
  void passesWhereEveryIntervalHoldsThePrediction() {
    comparison.add("a", new Interval(0.9, 1.1), 1);
    comparison.add("b", new Interval(1.9, 2.0), 2);
    assertThat(verdict().outcome()).isEqualTo(ClaimVerdict.Outcome.PASS);
    assertThat(verdict().detail()).startsWith("2 of 2 rates");
  }

  @Test
  void failsWhereOneIsOutsideAndNamesIt() {
    comparison.add("a", new Interval(0.9, 1.1), 1);
    comparison.add("b", new Interval(1.9, 1.99), 2);
    assertThat(verdict().outcome()).isEqualTo(ClaimVerdict.Outcome.FAIL);
    assertThat(verdict().detail()).contains("outside: b").doesNotContain("a,");
  }

  /** An interval that holds zero and many times the prediction would agree with anything. */
  @Test
  void hasNoVerdictWhenNoIntervalIsNarrowEnough() {
    comparison.add("a", new Interval(0, 50), 1);
    assertThat(verdict().outcome()).isEqualTo(ClaimVerdict.Outcome.TOO_FEW);
    comparison.add("b", new Interval(0.9, 1.1), 1);
    assertThat(verdict().outcome()).isEqualTo(ClaimVerdict.Outcome.PASS);
    assertThat(verdict().detail()).contains("1 of 2", "too few hits to say anything of a");
  }

  @Test
  void hasNoVerdictWhenMoreThanHalfAreUnsaid() {
    comparison.add("a", new Interval(0, 50), 1);
    comparison.add("b", new Interval(0.9, 1.1), 1);
    comparison.add("c", new Interval(0, 50), 1);
    assertThat(verdict().outcome()).isEqualTo(ClaimVerdict.Outcome.TOO_FEW);
    assertThat(verdict().detail()).contains("1 of 3 rates", "of a, c");
  }

  /** With as many pairs as the advice says, and hits as predicted, the interval says something. */
  @Test
  void advisesAsManyPairsAsAreNeeded() {
    for (double confidence : new double[] {0.95, 0.99, 0.99998}) {
      for (double rate : new double[] {1e-4, 1e-3, 1e-2}) {
        long pairs = ClaimVerdict.pairsNeeded(rate, Normal.z(confidence));
        assertThat(wide(rate, pairs * 12 / 10, confidence)).isFalse();
        assertThat(wide(rate, pairs * 8 / 10, confidence)).isTrue();
      }
    }
  }

  private static boolean wide(double rate, long pairs, double confidence) {
    return ClaimVerdict.isTooWide(Binomial.rate(Math.round(rate * pairs), pairs, confidence), rate);
  }

  @Test
  void oneThatIsOutsideCountsHoweverLittleTheOthersSay() {
    comparison.add("a", new Interval(0, 50), 1);
    comparison.add("b", new Interval(3, 4), 1);
    assertThat(verdict().outcome()).isEqualTo(ClaimVerdict.Outcome.FAIL);
  }

  /** Each trial is run in exactly one part, and parts differ by one trial at most. */
  @Test
  void shardsAreAPartition() {
    for (int count = 1; count <= 7; count++) {
      int parts = count;
      int[] sizes = new int[count];
      for (int trial = 1; trial <= 40; trial++) {
        int number = trial;
        int[] holders =
            IntStream.rangeClosed(1, parts)
                .filter(index -> new Shard(index, parts).holds(number))
                .toArray();
        assertThat(holders).hasSize(1);
        sizes[holders[0] - 1]++;
      }
      assertThat(IntStream.of(sizes).max().orElseThrow() - IntStream.of(sizes).min().orElseThrow())
          .isLessThanOrEqualTo(1);
    }
  }
}
