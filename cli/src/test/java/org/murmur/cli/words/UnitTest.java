package org.murmur.cli.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnitTest {

  @Test
  void amountsAreExact() {
    assertThat(Unit.BTC.named(0)).isEqualTo("0.00000000 BTC");
    assertThat(Unit.BTC.text(-12_345)).isEqualTo("-0.00012345");
    assertThat(Unit.BTC.signed(2_100_000_000_000_001L)).isEqualTo("+21000000.00000001");
    assertThat(Unit.BTC.signed(0)).isEqualTo("0.00000000");
    assertThat(Unit.SAT.named(-12_345)).isEqualTo("-12345 sat");
    assertThat(Unit.SAT.signed(100_000_000)).isEqualTo("+100000000");
  }
}
