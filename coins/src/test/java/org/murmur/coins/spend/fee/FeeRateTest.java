package org.murmur.coins.spend.fee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

final class FeeRateTest {

  @Test
  void roundsFeesUp() {
    assertThat(FeeRate.satPerKvb(1_000).feeOf(141)).isEqualTo(141);
    assertThat(FeeRate.satPerKvb(1_001).feeOf(141)).isEqualTo(142);
    assertThat(FeeRate.satPerKvb(100).feeOf(141)).isEqualTo(15);
    assertThat(FeeRate.ZERO.feeOf(141)).isZero();
  }

  @Test
  void countsAQuarterOfAByteToo() {
    assertThat(FeeRate.satPerVb(4).feeOfWeight(271)).isEqualTo(271);
    assertThat(FeeRate.satPerVb(1).feeOfWeight(271)).isEqualTo(68);
  }

  @Test
  void readsDecimals() {
    assertThat(FeeRate.satPerVb(new BigDecimal("2.5"))).isEqualTo(FeeRate.satPerKvb(2_500));
    assertThat(FeeRate.satPerVb(new BigDecimal("0.100"))).hasToString("0.1 sat/vB");
    assertThat(FeeRate.satPerVb(20)).hasToString("20 sat/vB");
    assertThatThrownBy(() -> FeeRate.satPerVb(new BigDecimal("1.0001")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("three decimals");
    assertThatThrownBy(() -> FeeRate.satPerVb(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  /** The arithmetic behind it has no word to say to a user. */
  @Test
  void saysWhatIsTooLarge() {
    for (long rate : new long[] {100_000_001, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> FeeRate.satPerVb(rate))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a fee rate is 0 to 100,000,000 sat/vB");
    }
    assertThat(FeeRate.satPerVb(100_000_000).satPerKvb()).isEqualTo(FeeRate.MAX_SAT_PER_KVB);
    assertThatThrownBy(() -> FeeRate.parse("9".repeat(4_000)))
        .hasMessageMatching("a fee rate is 0 to 100,000,000 sat/vB, and this is .{1,30} sat/vB");
  }

  @Test
  void readsWhatPeopleType() {
    assertThat(FeeRate.parse("2.5")).isEqualTo(FeeRate.satPerKvb(2_500));
    assertThat(FeeRate.parse(" 2.5 sat/vB ")).isEqualTo(FeeRate.satPerKvb(2_500));
    assertThat(FeeRate.parse(".1")).isEqualTo(FeeRate.satPerKvb(100));
    for (String text : new String[] {"", "x", "1e3", "2,5", "1.", "2 sat", "NaN"}) {
      assertThatThrownBy(() -> FeeRate.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("satoshi per virtual byte, for instance 2.5");
    }
  }

  @Test
  void returnsThePaidRate() {
    assertThat(FeeRate.paid(283, 141)).isEqualTo(FeeRate.satPerKvb(2_007));
  }

  /** The largest rate times the heaviest transaction fits. */
  @Test
  void doesNotOverflow() {
    assertThat(FeeRate.satPerKvb(100_000_000_000L).feeOfWeight(4_000_000))
        .isEqualTo(100_000_000_000_000L);
  }
}
