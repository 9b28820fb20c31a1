package org.murmur.cli.pay;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.pay.FeeEstimate;
import org.murmur.wallet.pay.PaymentTrace;
import org.murmur.wallet.pay.PaymentWarning;
import org.murmur.wallet.pay.Proposal;

/** A planned payment, for people and programs. */
record ProposalText(
    Proposal proposal, Optional<FeeEstimate> estimate, PaymentTrace trace, Unit unit) {

  private PaymentPlan plan() {
    return proposal.plan();
  }

  JsonObject json() {
    return new JsonObject()
        .put("fee_sat", plan().fee())
        .put("fee_rate", FeeEstimateText.satPerVb(plan().paidRate()))
        .put("ancestor_fee_sat", plan().ancestorFee())
        .put("fee_warnings", NoticeText.kinds(unusual()))
        .put("unscanned_blocks", unscanned(proposal.chain()))
        .put("vsize", plan().vsize())
        .put("inputs", proposal.coins())
        .put("outputs", plan().outputs().stream().map(this::json).toList())
        .put(
            "change",
            plan().change().stream().mapToObj(plan().outputs()::get).findFirst().map(this::json))
        .put("replaces", proposal.replaces())
        .put("fee_estimate", estimate.map(FeeEstimateText::json))
        .put("to_self", !trace.toSelf().isEmpty())
        .put("links", proposal.linkedAddresses())
        .putAll(links().json());
  }

  private JsonObject json(PaymentPlan.Output output) {
    return new JsonObject()
        .put("address", proposal.address(output))
        .put("value_sat", output.value());
  }

  private static int unscanned(ChainState chain) {
    return chain.height() - chain.scannedTo().orElse(chain.base());
  }

  private TraceText links() {
    return new TraceText(trace, plan().fee());
  }

  /** The warnings that a user reads before it is sent. */
  List<String> warnings() {
    return NoticeText.of(unusual());
  }

  /** {@link #feeParts} says the one that is left out, the refusal of the payment the other. */
  private List<PaymentWarning> unusual() {
    return proposal.warnings().stream()
        .filter(each -> !(each instanceof PaymentWarning.FeeAboveOrdered))
        .filter(each -> !(each instanceof PaymentWarning.PaidAlready))
        .toList();
  }

  /** Whether a replacement must pay more than was asked for (BIP-0125, rules 3 and 4). */
  private boolean isRaised() {
    return proposal.warnings().stream().anyMatch(PaymentWarning.FeeAboveOrdered.class::isInstance);
  }

  /** A rate that the user named is not raised in silence. An estimate is. */
  void requireEnough() {
    if (isRaised()) {
      BigDecimal least =
          BigDecimal.valueOf(plan().ownFee())
              .divide(BigDecimal.valueOf(plan().vsize()), 2, RoundingMode.CEILING);
      throw Failure.failed(
          "fee_rate_too_low",
          Text.of(
              "a rate of %s does not replace the payment. Give at least --fee-rate %s: a"
                  + " replacement pays the old fee, and 1 sat/vB for its own size",
              plan().requested(), least.toPlainString()));
    }
  }

  /** Why it pays more than the rate that was asked for. */
  private List<String> feeParts() {
    List<String> parts = new ArrayList<>();
    long ancestors = plan().ancestorFee();
    if (ancestors > 0) {
      parts.add(
          Text.of(
              "of it %s for unconfirmed parents: %s with them",
              unit.named(ancestors), plan().requested()));
    }
    if (plan().dropped() > 0) {
      parts.add("of it " + unit.named(plan().dropped()) + " that is too small for a change output");
    }
    if (isRaised()) {
      parts.add("the least that replaces the payment; asked for was " + plan().requested());
    }
    return parts;
  }

  void show(PrintStream out) {
    show(out, "pays          ", false);
    show(out, "change        ", true);
    out.println(
        Text.of(
            "fee           %s, %s for at most %s vB",
            unit.named(plan().fee()), plan().paidRate(), plan().vsize()));
    feeParts().forEach(part -> out.println("              " + part));
    warnings().forEach(warning -> out.println("warning       " + warning));
    estimate.ifPresent(of -> out.println("estimate      " + FeeEstimateText.of(of)));
    proposal.replaces().ifPresent(txid -> out.println("replaces      " + txid));
    for (PaymentPlan.Input input : plan().inputs()) {
      out.println(
          "spends        " + unit.named(input.coin().value()) + " of " + input.coin().outPoint());
    }
    List<String> links = proposal.linkedAddresses();
    if (!links.isEmpty()) {
      out.println(
          "links         "
              + links.size()
              + " addresses of the wallet, which look like one owner's:");
      links.forEach(address -> out.println("              " + address));
    }
    links().lines().forEach(out::println);
  }

  /** Of a payment that is only looked at, with the options that make exactly this one. */
  void review(String known, PrintStream out) {
    show(out);
    out.println("as of         " + known + "; no peer was asked for newer blocks");
    if (proposal.order().isPresent() && !proposal.coins().isEmpty()) {
      out.println(
          "repeat with  "
              + proposal.coins().stream()
                  .map(coin -> " --coin " + coin)
                  .collect(Collectors.joining()));
    }
  }

  private void show(PrintStream out, String title, boolean change) {
    for (int i = 0; i < plan().outputs().size(); i++) {
      PaymentPlan.Output output = plan().outputs().get(i);
      if (output.isChange() == change) {
        out.println(
            title
                + unit.named(output.value())
                + " to "
                + proposal.address(output).orElse("data")
                + (trace.toSelf().contains(i) ? " (yours)" : ""));
      }
    }
  }
}
