package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against published figures and independently computed oracles (O6 to O13, O17, O22). */
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

  @ParameterizedTest
  @CsvSource({
    "2, 2, 1, 5, 8",
    "4, 2, 1, 13, 64",
    "4, 2, 2, 505, 1024",
    "8, 2, 2, 5825, 32768",
    "8, 3, 2, 3096717, 16777216",
  })
  void exactRateAsAFraction(int bits, int functions, int elements, double above, double below) {
    assertThat(FilterTheory.exactRate(bits, functions, elements))
        .isCloseTo(above / below, within(1e-15));
  }

  @ParameterizedTest
  @CsvSource({
    "24, 5, 3, 0.02646418, 0.02167922",
    "64, 8, 5, 0.00260362, 0.00217605",
    "280, 19, 10, 1.77e-6, 1.44e-6",
  })
  void exactRateIsAboveTheOthers(
      int bits, int functions, int elements, double exact, double classic) {
    double computed = FilterTheory.exactRate(bits, functions, elements);
    assertThat(computed).isCloseTo(exact, withinPercentage(0.4));
    assertThat(FilterTheory.classicRate(bits, functions, elements))
        .isCloseTo(classic, withinPercentage(0.4));
    assertThat(computed).isGreaterThan(FilterTheory.standardRate(bits, functions, elements));
  }

  /** Small real filters, many tweaks: their rate is the exact one, which the classic is not. */
  @Test
  void exactRateIsTheOneMeasured() {
    SplittableRandom random = new SplittableRandom(5);
    byte[] element = new byte[20];
    double realised = 0;
    int filters = 200_000;
    for (int i = 0; i < filters; i++) {
      FilterBits filter = new FilterBits(new byte[3], 5, random.nextInt());
      for (int j = 0; j < 3; j++) {
        random.nextBytes(element);
        filter.add(element, 0, 20);
      }
      realised += Math.pow(filter.countSet() / 24.0, 5);
    }
    assertThat(realised / filters).isCloseTo(0.02646418, withinPercentage(1));
  }

  @Test
  void aFilterTellsTheSizeOfItsWallet() {
    // 542 elements in a filter for 642: 4199.65 bits on average, deviation 24.5.
    assertThat(FilterTheory.expectedBitsSet(10_152, 10, 542)).isCloseTo(4199.65, within(0.01));
    assertThat(FilterTheory.deviationOfBitsSet(10_152, 10, 542)).isCloseTo(24.5, within(0.05));
    assertThat(FilterTheory.estimatedElements(10_152, 10, 4200)).isCloseTo(542, within(0.1));
    assertThat(FilterTheory.estimatedElements(24, 5, 24)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(FilterTheory.estimatedElements(24, 5, 0)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1, 0.6", "2, 0.3", "3, 0.1", "0, 1"})
  void allTrueForThreeMembersAndTwoDecoys(int picked, double probability) {
    assertThat(FilterTheory.allTrue(3, 2, picked)).isCloseTo(probability, within(1e-12));
  }

  /**
   * Gervais et al. 2014: N addresses among 33 million, key and hash of each in one filter sized for
   * 2N + 100 at 0.0005.
   */
  @ParameterizedTest
  @CsvSource({
    "10, 120, 237, 1.0113e-10, 0.003337, 10, 0.990282",
    "15, 130, 257, 2.1281e-9, 0.07023, 15, 0.795121",
  })
  void reproducesThePublishedSingleFilter(
      int members, int sizedFor, int bytes, double rate, double decoys, int j, double probability) {
    FilterParameters parameters =
        FilterParameters.of(sizedFor, 5e-4, 0, UpdateFlag.ALL, Rounding.BITCOINJ);
    assertThat(parameters.bytes()).isEqualTo(bytes);
    assertThat(parameters.hashFunctions()).isEqualTo(10);
    double computed = parameters.expectedRate(2L * members);
    assertThat(computed).isCloseTo(rate, withinPercentage(0.01));
    double found = FilterTheory.decoys(33e6, members, computed);
    assertThat(found).isCloseTo(decoys, withinPercentage(0.02));
    assertThat(FilterTheory.allTrue(members, found, j)).isCloseTo(probability, within(2e-6));
  }

  @ParameterizedTest
  @CsvSource({"20, 20, 0.186066", "20, 1, 0.974904", "50, 1, 0.412489", "100, 1, 0.115523"})
  void reproducesLargerWallets(int members, int picked, double probability) {
    FilterParameters parameters =
        FilterParameters.of(2L * members + 100, 5e-4, 0, UpdateFlag.ALL, Rounding.BITCOINJ);
    double decoys = FilterTheory.decoys(33e6, members, parameters.expectedRate(2L * members));
    assertThat(FilterTheory.allTrue(members, decoys, picked)).isCloseTo(probability, within(2e-6));
    assertThat(1 / FilterTheory.anonymitySet(members, decoys))
        .isCloseTo(FilterTheory.allTrue(members, decoys, 1), within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"100, 1000, 7, 200, 0.6390", "20, 256, 6, 20, 0.1328", "100, 1000, 7, 60, 0.0186"})
  void deniability(int elements, int bits, int functions, int decoys, double gamma) {
    assertThat(FilterTheory.deniability(bits, functions, elements, decoys))
        .isCloseTo(gamma, within(5e-5));
  }

  @ParameterizedTest
  @CsvSource({"1e-5, 329", "1e-4, 42", "5e-4, 11", "1e-3, 7", "1e-2, 2"})
  void lifetimeOfAnOrdinaryFilter(double rate, long blocks) {
    FilterParameters p = FilterParameters.of(642, rate, 0, UpdateFlag.ALL, Rounding.BITCOINJ);
    assertThat(FilterTheory.lifetime(p.bits(), p.hashFunctions(), 642, 9000, 100_000))
        .isEqualTo(blocks);
  }

  @ParameterizedTest
  @CsvSource({"1e-5, 6141", "1e-4, 963", "5e-4, 295", "1e-3, 181", "1e-2, 43"})
  void lifetimeOfTheLargestFilter(double rate, long blocks) {
    int elements = (int) (288_000 * Math.log(2) * Math.log(2) / -Math.log(rate));
    int functions = (int) (288_000.0 / elements * Math.log(2));
    assertThat(FilterTheory.lifetime(288_000, functions, elements, 9000, 100_000))
        .isEqualTo(blocks);
    assertThat(FilterTheory.lifetime(288_000, functions, elements, 9000, blocks - 1))
        .isEqualTo(blocks - 1);
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

  @Test
  void refusesMorePicksThanMembers() {
    assertThatThrownBy(() -> FilterTheory.allTrue(3, 2, 4)).hasMessageContaining("4");
  }
}
