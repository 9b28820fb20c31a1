package org.murmur.wallet.spend;

import org.murmur.wallet.spend.fee.FeeRate;

/**
 * What a payment may cost.
 *
 * @param rate the fee rate that it pays, more than 0
 * @param longTerm the rate at which coins can be spent some day: below it many coins are spent,
 *     above it few
 * @param maxFee the largest fee in satoshi
 * @param maxRate the largest fee rate
 */
public record FeePolicy(FeeRate rate, FeeRate longTerm, long maxFee, FeeRate maxRate) {

  /** Core's -consolidatefeerate, 10 sat/vB. */
  public static final FeeRate USUAL_LONG_TERM = FeeRate.ofSatPerVb(10);

  /** 0.1 BTC, Core's -maxtxfee (DEFAULT_TRANSACTION_MAXFEE). */
  public static final long USUAL_MAX_FEE = 10_000_000;

  /** 0.1 BTC/kvB, above which Core's sendrawtransaction refuses (DEFAULT_MAX_RAW_TX_FEE_RATE). */
  public static final FeeRate USUAL_MAX_RATE = FeeRate.ofSatPerVb(10_000);

  /** Checks the ranges. */
  public FeePolicy {
    if (rate.equals(FeeRate.ZERO) || maxFee < 0) {
      throw new IllegalArgumentException(
          "fee rate " + rate + " up to " + maxFee + " sat, expected a rate above 0");
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
   * Derives a policy with another long-term rate.
   *
   * @param other the rate
   * @return a new policy
   */
  public FeePolicy longTerm(FeeRate other) {
    return new FeePolicy(rate, other, maxFee, maxRate);
  }

  /**
   * Derives a policy with another largest fee.
   *
   * @param satoshi the largest fee
   * @return a new policy
   */
  public FeePolicy maxFee(long satoshi) {
    return new FeePolicy(rate, longTerm, satoshi, maxRate);
  }

  /**
   * Derives a policy that pays any fee.
   *
   * @return a new policy
   */
  public FeePolicy withoutCeiling() {
    return new FeePolicy(rate, longTerm, Long.MAX_VALUE, new FeeRate(FeeRate.MAX_SAT_PER_KVB));
  }
}
