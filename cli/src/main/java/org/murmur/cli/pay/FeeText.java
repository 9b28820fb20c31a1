package org.murmur.cli.pay;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.Unit;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.wallet.pay.PaymentWarning;
import org.murmur.wallet.pay.Proposal;

/** Why a fee is as high as it is, and what is unusual about it. */
final class FeeText {

  private final PaymentPlan plan;
  private final boolean raised;
  private final List<PaymentWarning> warnings;

  FeeText(Proposal proposal) {
    this.plan = proposal.plan();
    List<PaymentWarning> all = proposal.warnings();
    this.raised = all.stream().anyMatch(PaymentWarning.FeeAboveOrdered.class::isInstance);
    this.warnings = all.stream().filter(each -> !isSaidElsewhere(each)).toList();
  }

  /** {@link #parts} says the one, the refusal of the payment the other. */
  private static boolean isSaidElsewhere(PaymentWarning warning) {
    return warning instanceof PaymentWarning.FeeAboveOrdered
        || warning instanceof PaymentWarning.PaidAlready;
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
    if (isRaised()) {
      parts.add("the least that replaces the payment; asked for was " + plan.requested());
    }
    return parts;
  }

  /** Whether a replacement must pay more than was asked for (BIP-0125, rules 3 and 4). */
  boolean isRaised() {
    return raised;
  }

  /** The least rate that replaces the payment, in sat/vB, rounded up. */
  BigDecimal least() {
    return BigDecimal.valueOf(plan.ownFee())
        .divide(BigDecimal.valueOf(plan.vsize()), 2, RoundingMode.CEILING);
  }

  List<String> warnings() {
    return NoticeText.of(warnings);
  }

  List<String> kinds() {
    return NoticeText.kinds(warnings);
  }
}
