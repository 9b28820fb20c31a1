package org.murmur.bip37;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterSizingTest {

  @ParameterizedTest
  @CsvSource({
    "2, 1e-3, CORE, 3, 8",
    "5, 1e-3, CORE, 8, 8",
    "642, 5e-4, BITCOINJ, 1269, 10",
    "642, 1e-5, BITCOINJ, 1923, 16",
    "10000, 1e-6, CORE, 35943, 19",
    "20000, 1e-3, CORE, 35943, 9",
    "366, 1e-5, CORE, 1096, 15",
    "366, 1e-5, BITCOINJ, 1096, 16",
    "542, 1e-5, BITCOINJ, 1623, 16",
  })
  void sizesAsPublished(long elements, double rate, Rounding rounding, int bytes, int functions) {
    FilterParameters parameters = FilterParameters.of(elements, rate, 0, UpdateFlag.NONE, rounding);
    assertThat(parameters.bytes()).isEqualTo(bytes);
    assertThat(parameters.hashFunctions()).isEqualTo(functions);
    FilterSizing sizing = FilterSizing.of(elements, rate, rounding);
    assertThat(sizing.bytes()).isEqualTo(bytes);
    assertThat(sizing.bits()).isEqualTo(8L * bytes);
    assertThat(sizing.hashFunctions()).isEqualTo(functions);
    assertThat(sizing.fitsBip37()).isTrue();
  }

  /** Of 1,995 sizes 406 differ, as counted by a program of its own. */
  @Test
  void theTwoRoundingsDifferWhereTheyShould() {
    int differ = 0;
    for (double rate : new double[] {1e-2, 1e-3, 5e-4, 1e-4, 1e-5}) {
      for (int n = 1; n < 400; n++) {
        FilterParameters core = FilterParameters.of(n, rate, 0, UpdateFlag.NONE, Rounding.CORE);
        FilterParameters other =
            FilterParameters.of(n, rate, 0, UpdateFlag.NONE, Rounding.BITCOINJ);
        assertThat(core.bytes()).isEqualTo(other.bytes());
        assertThat(other.hashFunctions() - core.hashFunctions()).isBetween(0, 1);
        differ += core.hashFunctions() == other.hashFunctions() ? 0 : 1;
      }
    }
    assertThat(differ).isEqualTo(406);
  }

  @Test
  void goesOnWhereBip37Ends() {
    // 10^10 · 9.2103 / 0.48045 = 1.917e11 bits, computed by hand.
    FilterSizing sizing = FilterSizing.of(10_000_000_000L, 1e-4, Rounding.CORE);
    assertThat(sizing.bits() / 1e11).isCloseTo(1.917011, within(1e-6));
    assertThat(sizing.hashFunctions()).isEqualTo(13);
    assertThat(sizing.expectedRate()).isCloseTo(1e-4, within(1e-6));
    assertThat(sizing.fitsBip37()).isFalse();

    FilterParameters capped =
        FilterParameters.of(10_000_000_000L, 1e-4, 0, UpdateFlag.NONE, Rounding.CORE);
    assertThat(capped).isEqualTo(new FilterParameters(36_000, 1, 0, UpdateFlag.NONE));
  }

  @Test
  void limitsTheFunctions() {
    FilterSizing sizing = FilterSizing.of(100, 1e-20, Rounding.CORE);
    assertThat(sizing.hashFunctions()).isGreaterThan(50);
    assertThat(sizing.fitsBip37()).isFalse();
    assertThat(FilterParameters.of(100, 1e-20, 0, UpdateFlag.NONE, Rounding.CORE).hashFunctions())
        .isEqualTo(50);
  }

  @Property
  void staysWithinTheLimits(
      @ForAll @LongRange(min = 1, max = 1L << 50) long elements,
      @ForAll @IntRange(min = 1, max = 30_000) int hundredthsOfADigit,
      @ForAll Rounding rounding) {
    double rate = Math.pow(10, -hundredthsOfADigit / 100.0);
    FilterParameters parameters = FilterParameters.of(elements, rate, 0, UpdateFlag.NONE, rounding);
    assertThat(parameters.bytes()).isBetween(1, 36_000);
    assertThat(parameters.hashFunctions()).isBetween(1, 50);
    FilterSizing sizing = FilterSizing.of(elements, rate, rounding);
    assertThat(sizing.bits()).isPositive();
    assertThat(sizing.hashFunctions()).isPositive();
    assertThat(sizing.expectedRate()).isBetween(0.0, 1.0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.1, 1.5, Double.NaN})
  void refusesARateThatIsNone(double rate) {
    assertThatThrownBy(() -> FilterSizing.of(1, rate, Rounding.CORE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesParametersBeyondTheLimits() {
    assertThatThrownBy(() -> new FilterParameters(36_001, 1, 0, UpdateFlag.NONE))
        .hasMessageContaining("36001");
    assertThatThrownBy(() -> new FilterParameters(1, 51, 0, UpdateFlag.NONE))
        .hasMessageContaining("51");
    assertThatThrownBy(() -> FilterSizing.of(0, 0.1, Rounding.CORE)).hasMessageContaining("0");
  }
}
