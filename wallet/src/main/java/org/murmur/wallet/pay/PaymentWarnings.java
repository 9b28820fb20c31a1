package org.murmur.wallet.pay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.wallet.spend.PaymentPlan;
import org.murmur.wallet.spend.fee.FeeRate;

/** Finds what is unusual about a payment. */
final class PaymentWarnings {

  /** A smaller fee is no loss, whatever part of the amount it is. */
  private static final long MIN_SUSPECT_FEE = 5_000;

  /** The fee is suspect above the tenth part of the amount. */
  private static final long SUSPECT_PART = 10;

  /** What Core relays by default since 28.3, 29.1 and 30.0 (DEFAULT_MIN_RELAY_TX_FEE). */
  private static final FeeRate MIN_RELAYED = new FeeRate(100);

  /** What Core relayed by default before. */
  private static final FeeRate MIN_RELAYED_BEFORE = FeeRate.ofSatPerVb(1);

  /** Our choice. Core refuses only above 10,000 sat/vB (DEFAULT_MAX_RAW_TX_FEE_RATE). */
  private static final FeeRate MAX_USUAL = FeeRate.ofSatPerVb(500);

  private PaymentWarnings() {}

  /** What stops it first, then the fee, then its rate. */
  static List<PaymentWarning> of(
      PaymentPlan plan, boolean replaces, Optional<EarlierPayment> earlier) {
    List<PaymentWarning> warnings = new ArrayList<>();
    earlier.ifPresent(same -> warnings.add(new PaymentWarning.PaidAlready(same)));
    long amount = plan.paid();
    if (plan.fee() > amount) {
      warnings.add(new PaymentWarning.FeeAboveAmount(plan.fee(), amount));
    } else if (plan.fee() > MIN_SUSPECT_FEE && plan.fee() > amount / SUSPECT_PART) {
      warnings.add(new PaymentWarning.FeeAboveTenth(plan.fee(), amount));
    }
    FeeRate rate = plan.paidRate();
    if (rate.compareTo(MIN_RELAYED) < 0) {
      warnings.add(new PaymentWarning.FeeRateTooLow(rate, MIN_RELAYED));
    } else if (rate.compareTo(MIN_RELAYED_BEFORE) < 0) {
      warnings.add(new PaymentWarning.FeeRateLow(rate, MIN_RELAYED_BEFORE));
    } else if (rate.compareTo(MAX_USUAL) > 0) {
      warnings.add(new PaymentWarning.FeeRateHigh(rate));
    }
    if (replaces && plan.ownFee() > plan.requested().feeOf(plan.vsize())) {
      warnings.add(new PaymentWarning.FeeAboveOrdered(plan.requested()));
    }
    return warnings;
  }
}
