package org.murmur.cli.pay;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.pay.PaymentTrace;
import org.murmur.wallet.pay.Proposal;
import org.murmur.wallet.spend.PaymentPlan;
import org.murmur.wallet.spend.fee.FeeEstimate;

/** A planned payment, for people and programs. */
final class ProposalText {

  private final Proposal proposal;
  private final PaymentPlan plan;
  private final Optional<FeeEstimateText> estimate;
  private final TraceText trace;
  private final Unit unit;

  ProposalText(Proposal proposal, Optional<FeeEstimate> estimate, PaymentTrace trace, Unit unit) {
    this.trace = new TraceText(trace, proposal.plan().fee());
    this.unit = unit;
    this.proposal = proposal;
    this.plan = proposal.plan();
    this.estimate = estimate.map(FeeEstimateText::new);
  }

  JsonObject json() {
    JsonObject json =
        new JsonObject()
            .put("fee_sat", plan.fee())
            .put("fee_rate", satPerVb())
            .put("vsize", plan.vsize())
            .putStrings("inputs", proposal.coins().stream().map(OutPoint::toString).toList())
            .put("outputs", plan.outputs().stream().map(this::json).toList());
    plan.change()
        .ifPresentOrElse(
            at -> json.put("change", json(plan.outputs().get(at))), () -> json.putNull("change"));
    proposal
        .replaces()
        .ifPresentOrElse(
            txid -> json.put("replaces", txid.toDisplay()), () -> json.putNull("replaces"));
    estimate.ifPresentOrElse(
        text -> json.put("fee_estimate", text.json()), () -> json.putNull("fee_estimate"));
    return json.putStrings("links", proposal.linkedAddresses()).putAll(trace.json());
  }

  private double satPerVb() {
    return BigDecimal.valueOf(plan.paidRate().satPerKvb(), 3).doubleValue();
  }

  private JsonObject json(PaymentPlan.Output output) {
    return new JsonObject()
        .put("address", proposal.address(output).orElse(null))
        .put("value_sat", output.value());
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

  private void show(PrintStream out, String title, boolean change) {
    for (PaymentPlan.Output output : plan.outputs()) {
      if (output.isChange() == change) {
        out.println(
            title + unit.named(output.value()) + " to " + proposal.address(output).orElse("data"));
      }
    }
  }
}
