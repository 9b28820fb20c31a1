package org.murmur.cli.pay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.spend.PaymentPlan;
import org.murmur.wallet.spend.fee.FeeRate;

/** Why a fee is as high as it is, and whether it is too high or too low. */
final class FeeText {

  /** A smaller fee is no loss, whatever part of the amount it is. */
  private static final long MIN_SUSPECT_FEE = 5_000;

  /** The fee is suspect above the tenth part of the amount. */
  private static final long SUSPECT_PART = 10;

  /** What Core relays by default since 28.3, 29.1 and 30.0 (DEFAULT_MIN_RELAY_TX_FEE). */
  private static final FeeRate MIN_RELAYED = new FeeRate(100);

  /** What Core relayed by default before. */
  private static final FeeRate MIN_RELAYED_BEFORE = FeeRate.ofSatPerVb(1);

  private final PaymentPlan plan;
  private final boolean replaces;
  private final Map<String, String> warnings = new LinkedHashMap<>();

  FeeText(PaymentPlan plan, boolean replaces) {
    this.plan = plan;
    this.replaces = replaces;
    warnOfHighFee();
    warnOfLowRate();
  }

  /** Why it pays more than the rate that was asked for. */
  List<String> parts(Unit unit) {
    List<String> parts = new ArrayList<>();
    long ancestors = plan.ancestorFee();
    if (ancestors > 0) {
      parts.add(
          "of it "
              + unit.named(ancestors)
              + " for unconfirmed parents: "
              + plan.requested()
              + " with them");
    }
    if (plan.dropped() > 0) {
      parts.add("of it " + unit.named(plan.dropped()) + " that is too small for a change output");
    }
    long asked = plan.requested().feeOf(plan.vsize());
    if (replaces && plan.fee() - plan.dropped() - ancestors > asked) {
      parts.add("the least that replaces the payment; asked for was " + plan.requested());
    }
    return parts;
  }

  private void warnOfHighFee() {
    long amount =
        plan.outputs().stream()
            .filter(output -> !output.isChange())
            .mapToLong(PaymentPlan.Output::value)
            .sum();
    if (plan.fee() > amount) {
      warnings.put("fee_above_amount", "the fee is more than the amount");
    } else if (plan.fee() > MIN_SUSPECT_FEE && plan.fee() > amount / SUSPECT_PART) {
      long percent = plan.fee() * 100 / amount;
      warnings.put("fee_above_tenth", "the fee is " + percent + " % of the amount");
    }
  }

  private void warnOfLowRate() {
    FeeRate rate = plan.paidRate();
    if (rate.compareTo(MIN_RELAYED) < 0) {
      warnings.put(
          "fee_rate_too_low",
          rate + " is less than nodes relay: by default at least " + MIN_RELAYED);
    } else if (rate.compareTo(MIN_RELAYED_BEFORE) < 0) {
      warnings.put(
          "fee_rate_low",
          rate + " is less than many nodes relay: older ones at least " + MIN_RELAYED_BEFORE);
    }
  }

  List<String> warnings() {
    return List.copyOf(warnings.values());
  }

  List<String> kinds() {
    return List.copyOf(warnings.keySet());
  }
}
