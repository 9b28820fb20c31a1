package org.murmur.coins.spend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.murmur.bip37.tx.Amount;
import org.murmur.coins.spend.fee.FeeRate;

class FeePolicyTest {

  @Test
  void aDerivationKeepsAllOtherValues() {
    assertThat(
            FeePolicy.of(FeeRate.satPerVb(2))
                .maxRate(FeeRate.satPerVb(50))
                .maxFee(Amount.sat(7))
                .longTerm(FeeRate.satPerVb(5)))
        .isEqualTo(
            new FeePolicy(
                FeeRate.satPerVb(2), FeeRate.satPerVb(5), Amount.sat(7), FeeRate.satPerVb(50)));
  }
}
