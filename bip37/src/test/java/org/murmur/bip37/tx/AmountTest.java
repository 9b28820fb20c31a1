package org.murmur.bip37.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountTest {

  @ParameterizedTest
  @CsvSource({
    "0.015BTC, 1500000",
    "0.015 btc, 1500000",
    ".5BTC, 50000000",
    "0.123456780000BTC, 12345678",
    "21000000BTC, 2100000000000000",
    "1500000sat, 1500000",
    "1 sat, 1",
    "2 Satoshis, 2",
    "0sat, 0"
  })
  void readsANumberAndItsUnit(String text, long satoshi) {
    assertThat(Amount.parse(text)).isEqualTo(Amount.sat(satoshi));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5 | no unit: write 5BTC or 5sat",
        "1.BTC | no digit follows the point",
        "0.000000001BTC | more than eight decimals",
        "0.5sat | nothing smaller than a satoshi",
        "0,5BTC | a comma",
        "1.2.3BTC | a point stands before the decimals only",
        "-1sat | not below 0",
        "21000000.00000001BTC | only 21,000,000 BTC",
        "99999999999999999999999999sat | only 21,000,000 BTC",
        "1e3sat | no amount: expected a number and BTC or sat",
        "'' | no amount",
        "\u0661sat | no amount",
        "all | no amount"
      })
  void saysWhatIsWrong(String text, String message) {
    assertThatThrownBy(() -> Amount.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void hasARange() {
    assertThat(Amount.sat(Tx.MAX_MONEY)).isEqualTo(Amount.MAX);
    assertThat(Amount.MAX.btc()).isEqualByComparingTo(new BigDecimal("21000000"));
    for (long satoshi : new long[] {-1, Tx.MAX_MONEY + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> Amount.sat(satoshi)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
