package org.murmur.wallet.pay;

import org.murmur.bip37.tx.Amount;
import org.murmur.coins.spend.FeePolicy;
import org.murmur.coins.spend.fee.FeeRate;

/**
 * A user's limits when a PSBT is signed. Those of the fee are those of a {@link FeePolicy}.
 *
 * @param maxFee the largest fee of the whole transaction, whoever pays it
 * @param maxRate the largest fee rate
 * @param reserved whether coins may be spent that are frozen, or that another payment spends
 * @param again whether to pay even if an {@link EarlierPayment} pays the same
 */
public record PsbtTerms(Amount maxFee, FeeRate maxRate, boolean reserved, boolean again) {

  /** The usual limits of fees; no reserved coin, and nothing twice. */
  public static final PsbtTerms USUAL =
      new PsbtTerms(FeePolicy.USUAL_MAX_FEE, FeePolicy.USUAL_MAX_RATE, false, false);

  /**
   * {@return terms with another largest fee}
   *
   * @param most the largest fee
   */
  public PsbtTerms maxFee(Amount most) {
    return new PsbtTerms(most, maxRate, reserved, again);
  }

  /**
   * {@return terms with another largest fee rate}
   *
   * @param most the largest fee rate
   */
  public PsbtTerms maxRate(FeeRate most) {
    return new PsbtTerms(maxFee, most, reserved, again);
  }

  /**
   * {@return terms that allow {@linkplain ReservedCoin reserved coins} or not}
   *
   * @param allowed false unless set
   */
  public PsbtTerms reserved(boolean allowed) {
    return new PsbtTerms(maxFee, maxRate, allowed, again);
  }

  /**
   * {@return terms that allow to pay twice or not}
   *
   * @param twice false unless set
   */
  public PsbtTerms again(boolean twice) {
    return new PsbtTerms(maxFee, maxRate, reserved, twice);
  }
}
