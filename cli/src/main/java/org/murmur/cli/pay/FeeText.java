package org.murmur.cli.pay;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.pay.FeeWarning;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.spend.PaymentPlan;

/** Why a fee is as high as it is, and what is unusual about it. */
final class FeeText {

  private final PaymentPlan plan;
  private final boolean replaces;
  private final List<FeeWarning> warnings;

  FeeText(Proposal proposal) {
    this.plan = proposal.plan();
    this.replaces = proposal.replaces().isPresent();
    this.warnings = proposal.warnings();
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
    return replaces && replacing() > plan.requested().feeOf(plan.vsize());
  }

  /** The least rate that replaces the payment, in sat/vB, rounded up. */
  BigDecimal least() {
    return BigDecimal.valueOf(replacing())
        .divide(BigDecimal.valueOf(plan.vsize()), 2, RoundingMode.CEILING);
  }

  private long replacing() {
    return plan.fee() - plan.dropped() - plan.ancestorFee();
  }

  List<String> warnings() {
    return warnings.stream().map(FeeWarning::text).toList();
  }

  List<String> kinds() {
    return warnings.stream().map(each -> each.kind().name().toLowerCase(Locale.ROOT)).toList();
  }
}
