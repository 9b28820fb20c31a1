package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Beside {@link OraclesTest}, where the formulas meet their published figures. */
class FilterTheoryTest {

  @ParameterizedTest
  @CsvSource({
    "10152, 10, 542, 1.467631e-4",
    "10152, 10, 642, 5.113862e-4",
    "15384, 16, 542, 1.41271783e-6",
    "28320, 16, 1082, 3.66480331e-6",
  })
  void classicRate(long bits, int functions, int elements, double rate) {
    assertThat(FilterTheory.classicRate(bits, functions, elements))
        .isCloseTo(rate, withinPercentage(1e-4));
    // For filters of this size both formulas agree to three digits.
    assertThat(FilterTheory.standardRate(bits, functions, elements))
        .isCloseTo(rate, withinPercentage(0.2));
  }

  @Test
  void aFilterDisclosesTheSizeOfItsWallet() {
    // 542 elements in a filter for 642: 4199.65 bits on average, deviation 24.5.
    assertThat(FilterTheory.expectedBitsSet(10_152, 10, 542)).isCloseTo(4199.65, within(0.01));
    assertThat(FilterTheory.deviationOfBitsSet(10_152, 10, 542)).isCloseTo(24.5, within(0.05));
    assertThat(FilterTheory.estimatedElements(10_152, 10, 4200)).isCloseTo(542, within(0.1));
    assertThat(FilterTheory.estimatedElements(24, 5, 24)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(FilterTheory.estimatedElements(24, 5, 0)).isZero();
  }

  /** Newcombe 1998, Statistics in Medicine 17, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29. */
  @ParameterizedTest
  @CsvSource({
    "81, 263, 0.2553, 0.3662",
    "15, 148, 0.0624, 0.1605",
    "0, 20, 0, 0.1611",
    "1, 29, 0.0061, 0.1718"
  })
  void wilsonInterval(long hits, long trials, double low, double high) {
    FilterTheory.Interval interval = FilterTheory.wilson95(hits, trials);
    assertThat(interval.low()).isCloseTo(low, within(5e-5));
    assertThat(interval.high()).isCloseTo(high, within(5e-5));
    assertThat(interval.holds(hits / (double) trials)).isTrue();
    assertThat(interval.holds(high + 0.001)).isFalse();
  }

  /** Rounding left 3e-17, which reports print as a rate. */
  @Test
  void wilsonIntervalBeginsAtZeroWithoutHitsAndEndsAtOneWithoutMisses() {
    for (int trials = 1; trials <= 2_000; trials++) {
      assertThat(FilterTheory.wilson(0, trials, 2.576).low()).isZero();
      assertThat(FilterTheory.wilson(trials, trials, 2.576).high()).isEqualTo(1);
    }
  }

  @Test
  void noPicksAreAllTrue() {
    assertThat(FilterTheory.allTrue(3, 2, 0)).isEqualTo(1);
  }

  @Test
  void lifetimesEndAtTheLimit() {
    assertThat(FilterTheory.lifetime(8 * 1269, 10, 642, 9000, 10)).isEqualTo(10);
    assertThat(FilterTheory.lifetime(8 * 1269, 10, 642, 9000, 11)).isEqualTo(11);
  }

  @Test
  void refusesMorePicksThanMembers() {
    assertThatThrownBy(() -> FilterTheory.allTrue(3, 2, 4)).hasMessageContaining("4");
  }
}
