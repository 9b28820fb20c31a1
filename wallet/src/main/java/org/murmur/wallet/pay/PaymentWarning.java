package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.wallet.spend.PaymentPlan;
import org.murmur.wallet.spend.fee.FeeRate;

/**
 * Something unusual about a payment, which its user should see before it is signed. {@link
 * PaymentWarningText} has the words.
 */
public sealed interface PaymentWarning {

  /**
   * Another payment pays the same, so this one will be refused.
   *
   * @param earlier that payment
   */
  record PaidAlready(EarlierPayment earlier) implements PaymentWarning {}

  /**
   * The fee is more than the amount.
   *
   * @param fee in satoshi
   * @param amount in satoshi
   */
  record FeeAboveAmount(long fee, long amount) implements PaymentWarning {}

  /**
   * The fee is more than the tenth part of the amount, and more than 5,000 satoshi.
   *
   * @param fee in satoshi
   * @param amount in satoshi
   */
  record FeeAboveTenth(long fee, long amount) implements PaymentWarning {}

  /**
   * Nodes do not relay so low a rate.
   *
   * @param rate of the payment
   * @param least what Core relays by default
   */
  record FeeRateTooLow(FeeRate rate, FeeRate least) implements PaymentWarning {}

  /**
   * Older nodes do not relay so low a rate.
   *
   * @param rate of the payment
   * @param least what Core relayed by default before
   */
  record FeeRateLow(FeeRate rate, FeeRate least) implements PaymentWarning {}

  /**
   * Few users mean so high a rate: perhaps it is a sum, or satoshi per kilobyte.
   *
   * @param rate of the payment, above 500 sat/vB
   */
  record FeeRateHigh(FeeRate rate) implements PaymentWarning {}

  /**
   * A replacement must pay more than was ordered: nodes demand it (BIP-0125, rules 3 and 4).
   *
   * @param ordered the rate that was ordered
   */
  record FeeAboveOrdered(FeeRate ordered) implements PaymentWarning {}

  /** A smaller fee is no loss, whatever part of the amount it is. */
  long MIN_SUSPECT_FEE = 5_000;

  /** The fee is suspect above the tenth part of the amount. */
  long SUSPECT_PART = 10;

  /** What Core relays by default since 28.3, 29.1 and 30.0 (DEFAULT_MIN_RELAY_TX_FEE). */
  FeeRate MIN_RELAYED = new FeeRate(100);

  /** What Core relayed by default before. */
  FeeRate MIN_RELAYED_BEFORE = FeeRate.ofSatPerVb(1);

  /** Our choice. Core refuses only above 10,000 sat/vB (DEFAULT_MAX_RAW_TX_FEE_RATE). */
  FeeRate MAX_USUAL = FeeRate.ofSatPerVb(500);

  /**
   * Finds what is unusual about a plan.
   *
   * @param plan inputs, outputs and fee
   * @param replaces whether it replaces a payment
   * @param earlier a payment that pays the same
   * @return what stops it first, then the fee, then its rate
   */
  static List<PaymentWarning> of(
      PaymentPlan plan, boolean replaces, Optional<EarlierPayment> earlier) {
    List<PaymentWarning> warnings = new ArrayList<>();
    earlier.ifPresent(same -> warnings.add(new PaidAlready(same)));
    long amount = plan.paid();
    if (plan.fee() > amount) {
      warnings.add(new FeeAboveAmount(plan.fee(), amount));
    } else if (plan.fee() > MIN_SUSPECT_FEE && plan.fee() > amount / SUSPECT_PART) {
      warnings.add(new FeeAboveTenth(plan.fee(), amount));
    }
    FeeRate rate = plan.paidRate();
    if (rate.compareTo(MIN_RELAYED) < 0) {
      warnings.add(new FeeRateTooLow(rate, MIN_RELAYED));
    } else if (rate.compareTo(MIN_RELAYED_BEFORE) < 0) {
      warnings.add(new FeeRateLow(rate, MIN_RELAYED_BEFORE));
    } else if (rate.compareTo(MAX_USUAL) > 0) {
      warnings.add(new FeeRateHigh(rate));
    }
    if (replaces && plan.ownFee() > plan.requested().feeOf(plan.vsize())) {
      warnings.add(new FeeAboveOrdered(plan.requested()));
    }
    return warnings;
  }
}
