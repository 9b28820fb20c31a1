package org.murmur.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NormalTest {

  /** From published tables of the normal distribution. */
  @ParameterizedTest
  @CsvSource({
    "0.5, 0.6744897502",
    "0.95, 1.9599639845",
    "0.99, 2.5758293035",
    "0.999, 3.2905267315",
    "0.999999, 4.8916384757"
  })
  void quantiles(double confidence, double z) {
    assertThat(Normal.z(confidence)).isCloseTo(z, within(1e-8));
    assertThat(Normal.z(confidence, 1)).isEqualTo(Normal.z(confidence));
  }
}
