package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.wallet.spend.PaymentPlan;
import org.murmur.wallet.spend.fee.FeeRate;

/**
 * Something unusual about a payment, which its user should see before it is signed.
 *
 * @param kind for programs
 * @param text for people, in English; begins in lower case or with a rate, without a full stop
 */
public record PaymentWarning(Kind kind, String text) {

  /** The kinds. */
  public enum Kind {
    /** The fee is more than the amount. */
    FEE_ABOVE_AMOUNT,
    /** The fee is more than the tenth part of the amount, and more than 5,000 satoshi. */
    FEE_ABOVE_TENTH,
    /** Nodes do not relay so low a rate: below 0.1 sat/vB. */
    FEE_RATE_TOO_LOW,
    /** Older nodes do not relay so low a rate: below 1 sat/vB. */
    FEE_RATE_LOW,
    /** A replacement must pay more than was ordered: nodes demand it (BIP-0125, rules 3 and 4). */
    FEE_ABOVE_ORDERED,
    /** {@link Proposal#earlier}: another payment pays the same, so this one will be refused. */
    PAID_ALREADY
  }

  /** A smaller fee is no loss, whatever part of the amount it is. */
  private static final long MIN_SUSPECT_FEE = 5_000;

  /** The fee is suspect above the tenth part of the amount. */
  private static final long SUSPECT_PART = 10;

  /** What Core relays by default since 28.3, 29.1 and 30.0 (DEFAULT_MIN_RELAY_TX_FEE). */
  private static final FeeRate MIN_RELAYED = new FeeRate(100);

  /** What Core relayed by default before. */
  private static final FeeRate MIN_RELAYED_BEFORE = FeeRate.ofSatPerVb(1);

  /** The warnings about a plan: what stops it first, then the fee, then its rate. */
  static List<PaymentWarning> of(
      PaymentPlan plan, boolean replaces, Optional<EarlierPayment> earlier) {
    List<PaymentWarning> warnings = new ArrayList<>();
    earlier.ifPresent(
        same ->
            warnings.add(
                new PaymentWarning(
                    Kind.PAID_ALREADY, RefusalText.of(new Refusal.PaidAlready(same)))));
    long amount = plan.paid();
    if (plan.fee() > amount) {
      warnings.add(new PaymentWarning(Kind.FEE_ABOVE_AMOUNT, "the fee is more than the amount"));
    } else if (plan.fee() > MIN_SUSPECT_FEE && plan.fee() > amount / SUSPECT_PART) {
      long percent = plan.fee() * 100 / amount;
      warnings.add(
          new PaymentWarning(Kind.FEE_ABOVE_TENTH, "the fee is " + percent + " % of the amount"));
    }
    FeeRate rate = plan.paidRate();
    if (rate.compareTo(MIN_RELAYED) < 0) {
      warnings.add(
          new PaymentWarning(
              Kind.FEE_RATE_TOO_LOW,
              rate + " is less than nodes relay: by default at least " + MIN_RELAYED));
    } else if (rate.compareTo(MIN_RELAYED_BEFORE) < 0) {
      warnings.add(
          new PaymentWarning(
              Kind.FEE_RATE_LOW,
              rate + " is less than many nodes relay: older ones at least " + MIN_RELAYED_BEFORE));
    }
    if (replaces && plan.ownFee() > plan.requested().feeOf(plan.vsize())) {
      warnings.add(
          new PaymentWarning(
              Kind.FEE_ABOVE_ORDERED,
              "the fee is the least that replaces the payment, more than the ordered "
                  + plan.requested()));
    }
    return warnings;
  }
}
