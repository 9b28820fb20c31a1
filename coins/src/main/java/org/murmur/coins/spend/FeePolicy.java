package org.murmur.coins.spend;

import org.murmur.bip37.tx.Amount;
import org.murmur.coins.spend.fee.FeeRate;

/**
 * The limits of a payment's fee.
 *
 * @param rate the fee rate that it pays, more than 0
 * @param longTerm the rate at which coins can be spent some day: below it many coins are spent,
 *     above it few
 * @param maxFee the largest fee
 * @param maxRate the largest fee rate
 */
public record FeePolicy(FeeRate rate, FeeRate longTerm, Amount maxFee, FeeRate maxRate) {

  /** Core's -consolidatefeerate, 10 sat/vB. */
  public static final FeeRate USUAL_LONG_TERM = FeeRate.satPerVb(10);

  /** 0.1 BTC, Core's -maxtxfee (DEFAULT_TRANSACTION_MAXFEE). */
  public static final Amount USUAL_MAX_FEE = Amount.sat(10_000_000);

  /** 0.1 BTC/kvB, above which Core's sendrawtransaction refuses (DEFAULT_MAX_RAW_TX_FEE_RATE). */
  public static final FeeRate USUAL_MAX_RATE = FeeRate.satPerVb(10_000);

  /** Checks the rate. */
  public FeePolicy {
    if (rate.equals(FeeRate.ZERO)) {
      throw new IllegalArgumentException("fee rate " + rate + ", expected more than 0");
    }
  }

  /**
   * Pays a rate, with the usual limits.
   *
   * @param rate the fee rate
   * @return the policy
   */
  public static FeePolicy of(FeeRate rate) {
    return new FeePolicy(rate, USUAL_LONG_TERM, USUAL_MAX_FEE, USUAL_MAX_RATE);
  }

  /**
   * {@return a policy with another long-term rate}
   *
   * @param other the rate
   */
  public FeePolicy longTerm(FeeRate other) {
    return new FeePolicy(rate, other, maxFee, maxRate);
  }

  /**
   * {@return a policy with another largest fee}
   *
   * @param most the largest fee
   */
  public FeePolicy maxFee(Amount most) {
    return new FeePolicy(rate, longTerm, most, maxRate);
  }

  /**
   * {@return a policy with another largest fee rate}
   *
   * @param most the largest fee rate
   */
  public FeePolicy maxRate(FeeRate most) {
    return new FeePolicy(rate, longTerm, maxFee, most);
  }

  /** {@return a policy that pays any fee} */
  public FeePolicy withoutCeiling() {
    return new FeePolicy(rate, longTerm, Amount.MAX, FeeRate.satPerKvb(FeeRate.MAX_SAT_PER_KVB));
  }
}
