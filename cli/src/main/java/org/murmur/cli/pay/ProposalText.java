package org.murmur.cli.pay;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Unit;
import org.murmur.coins.spend.PaymentPlan;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.pay.FeeEstimate;
import org.murmur.wallet.pay.PaymentTrace;
import org.murmur.wallet.pay.Proposal;

/** A planned payment, for people and programs. */
final class ProposalText {

  private final Proposal proposal;
  private final PaymentPlan plan;
  private final Optional<FeeEstimateText> estimate;
  private final TraceText trace;
  private final Unit unit;
  private final FeeText fee;
  private final Set<Integer> toSelf;

  ProposalText(Proposal proposal, Optional<FeeEstimate> estimate, PaymentTrace trace, Unit unit) {
    this.trace = new TraceText(trace, proposal.plan().fee());
    this.toSelf = trace.toSelf();
    this.unit = unit;
    this.proposal = proposal;
    this.plan = proposal.plan();
    this.fee = new FeeText(proposal);
    this.estimate = estimate.map(FeeEstimateText::new);
  }

  JsonObject json() {
    return new JsonObject()
        .put("fee_sat", plan.fee())
        .put("fee_rate", satPerVb())
        .put("ancestor_fee_sat", plan.ancestorFee())
        .put("fee_warnings", fee.kinds())
        .put("unscanned_blocks", unscanned(proposal.chain()))
        .put("vsize", plan.vsize())
        .put("inputs", proposal.coins())
        .put("outputs", plan.outputs().stream().map(this::json).toList())
        .put(
            "change",
            plan.change().stream().mapToObj(plan.outputs()::get).findFirst().map(this::json))
        .put("replaces", proposal.replaces())
        .put("fee_estimate", estimate.map(FeeEstimateText::json))
        .put("to_self", !toSelf.isEmpty())
        .put("links", proposal.linkedAddresses())
        .putAll(trace.json());
  }

  private double satPerVb() {
    return BigDecimal.valueOf(plan.paidRate().satPerKvb(), 3).doubleValue();
  }

  private JsonObject json(PaymentPlan.Output output) {
    return new JsonObject()
        .put("address", proposal.address(output))
        .put("value_sat", output.value());
  }

  private static int unscanned(ChainState chain) {
    return chain.height() - chain.scannedTo().orElse(chain.base());
  }

  /** The warnings that a user reads before it is sent. */
  List<String> warnings() {
    return fee.warnings();
  }

  void show(PrintStream out) {
    show(out, "pays          ", false);
    show(out, "change        ", true);
    out.println(
        "fee           "
            + unit.named(plan.fee())
            + ", "
            + plan.paidRate()
            + " for at most "
            + plan.vsize()
            + " vB");
    fee.parts(unit).forEach(part -> out.println("              " + part));
    warnings().forEach(warning -> out.println("warning       " + warning));
    estimate.ifPresent(text -> out.println("estimate      " + text.text()));
    proposal.replaces().ifPresent(txid -> out.println("replaces      " + txid));
    for (PaymentPlan.Input input : plan.inputs()) {
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
    trace.lines().forEach(out::println);
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
    for (int i = 0; i < plan.outputs().size(); i++) {
      PaymentPlan.Output output = plan.outputs().get(i);
      if (output.isChange() == change) {
        out.println(
            title
                + unit.named(output.value())
                + " to "
                + proposal.address(output).orElse("data")
                + (toSelf.contains(i) ? " (yours)" : ""));
      }
    }
  }
}
