package org.murmur.wallet.pay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.murmur.bip37.tx.Amount;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.Credentials;

class PsbtTermsTest {

  @Test
  void aDerivationKeepsAllOtherValues() {
    FeeRate rate = FeeRate.satPerVb(50);
    assertThat(PsbtTerms.USUAL.maxRate(rate).maxFee(Amount.sat(7)).reserved(true).again(true))
        .isEqualTo(new PsbtTerms(Amount.sat(7), rate, true, true));
  }

  /** Without a password there is {@link Credentials#NONE}. */
  @Test
  @SuppressWarnings("NullAway")
  void aPasswordIsOne() {
    assertThatThrownBy(() -> Credentials.ofPassword(null)).isInstanceOf(NullPointerException.class);
  }
}
