package org.murmur.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudentTest {

  /** From published tables; a table counts degrees of freedom, one less than the values. */
  @ParameterizedTest
  @CsvSource({
    "0.95, 2, 12.7062",
    "0.95, 4, 3.18245",
    "0.99, 4, 5.84091",
    "0.95, 30, 2.04523",
    "0.99, 31, 2.75000",
    "0.95, 1000001, 1.95997"
  })
  void quantiles(double confidence, int values, double t) {
    assertThat(Student.t(confidence, values)).isCloseTo(t, within(1e-4));
  }
}
