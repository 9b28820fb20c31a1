package org.murmur.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WholeNumberTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-7, -7",
    "1e10, 10000000000",
    "2.5e3, 2500",
    "1200e-2, 12",
    "0e999999999, 0",
    "9223372036854775807, 9223372036854775807",
    "-9223372036854775808, -9223372036854775808"
  })
  void readsNumbersAsPeopleWriteThem(String text, long value) {
    assertThat(WholeNumber.parse(text)).isEqualTo(value);
    assertThat(Parameters.of(1, 1).with("n", text).whole("n")).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({"1e999999999", "-1e999999999", "9223372036854775808", "1e19"})
  void saysWhereTheLimitIs(String text) {
    assertThatThrownBy(() -> WholeNumber.parse(text))
        .hasMessage("'" + text + "', expected at most 9223372036854775807");
    assertThatThrownBy(() -> WholeNumber.parse("2147483648", Integer.MAX_VALUE))
        .hasMessage("'2147483648', expected at most 2147483647");
  }

  @ParameterizedTest
  @CsvSource({"many", "1.5", "1e-1", "1e-999999999", "NaN", "''", "0x10", "1_000", "1e99999999999"})
  void refusesTextThatIsNoWholeNumber(String text) {
    assertThatThrownBy(() -> WholeNumber.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "', expected a whole number");
  }
}
