package org.murmur.cli.payments;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.words.EarlierPaymentText;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.Descriptor;
import org.murmur.coins.psbt.PsbtSummary;
import org.murmur.coins.psbt.PsbtSummary.State;
import org.murmur.wallet.pay.PsbtReview;
import org.murmur.wallet.pay.PsbtTerms;
import org.murmur.wallet.pay.Refusal;
import org.murmur.wallet.pay.ReservedCoin;

/**
 * A PSBT in words and as JSON.
 *
 * @param unit how people read amounts
 */
record PsbtText(PsbtReview review, Unit unit) {

  private PsbtSummary summary() {
    return review.summary();
  }

  JsonObject json() {
    return new JsonObject()
        .put("unsigned_txid", summary().tx().txid())
        .put("complete", summary().isComplete())
        .put("fee_sat", summary().fee())
        .put("fee_rate", feeRate().map(BigDecimal::doubleValue))
        .put("vsize", summary().vsize())
        .put("fee_warnings", NoticeText.kinds(review.warnings()))
        .put("refusals", refusals().map(Refusal::kind).toList())
        .put("inputs", summary().inputs().stream().map(this::input).toList())
        .put("outputs", summary().outputs().stream().map(this::output).toList())
        .put("missing", missing());
  }

  /** Satoshi for a virtual byte. */
  private Optional<BigDecimal> feeRate() {
    return summary().fee().isPresent() && summary().vsize().isPresent()
        ? Optional.of(
            BigDecimal.valueOf(summary().fee().getAsLong())
                .divide(BigDecimal.valueOf(summary().vsize().getAsLong()), 2, RoundingMode.HALF_UP))
        : Optional.empty();
  }

  private JsonObject input(PsbtSummary.Input input) {
    return new JsonObject()
        .put("txid", input.outPoint().txid())
        .put("vout", Integer.toUnsignedLong(input.outPoint().index()))
        .put("value_sat", input.spent().map(Tx.Output::value))
        .put("address", address(input.spent().map(Tx.Output::script)))
        .put("own", input.own().isPresent())
        .put("path", path(input.own()))
        .put("state", input.state())
        .put("frozen", reservation(input).map(ReservedCoin::frozen).orElse(false))
        .put("spent_by", reservation(input).flatMap(ReservedCoin::spentBy));
  }

  private Optional<ReservedCoin> reservation(PsbtSummary.Input input) {
    return review.reserved().stream()
        .filter(coin -> coin.coin().equals(input.outPoint()))
        .findFirst();
  }

  /** Why it should not be signed or sent, a line each. */
  List<String> objections() {
    List<String> lines = new ArrayList<>();
    refusals()
        .filter(refusal -> !(refusal instanceof Refusal.CoinReserved))
        .filter(refusal -> !(refusal instanceof Refusal.PaidAlready))
        .map(Refusal::text)
        .forEach(lines::add);
    review.reserved().forEach(coin -> lines.add(coin.text()));
    review.earlier().ifPresent(same -> lines.add(EarlierPaymentText.refusal(same).text()));
    review.warnings().forEach(warning -> lines.add(warning.text()));
    return lines;
  }

  /** The reasons for which signing under the usual terms is refused. */
  private Stream<Refusal> refusals() {
    return review.refusals(PsbtTerms.USUAL).stream();
  }

  private JsonObject output(PsbtSummary.Output output) {
    return new JsonObject()
        .put("address", address(Optional.of(output.script())))
        .put("script", output.script())
        .put("value_sat", output.value())
        .put("own", output.own().isPresent())
        .put("path", path(output.own()));
  }

  private @Nullable String address(Optional<Bytes> script) {
    return script.flatMap(known -> Address.of(known, review.network())).orElse(null);
  }

  private static @Nullable String path(Optional<Descriptor.PublicKey> key) {
    return key.map(Descriptor.PublicKey::pathText).orElse(null);
  }

  /** The missing parts of each input. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < summary().inputs().size(); i++) {
      PsbtSummary.Input input = summary().inputs().get(i);
      if (input.state() == State.UNSIGNED) {
        missing.add("input " + i + ": a signature" + (input.own().isPresent() ? " of ours" : ""));
      } else if (input.state() == State.UNKNOWN) {
        missing.add("input " + i + ": the output that it spends");
      }
    }
    if (summary().inputs().isEmpty()) {
      missing.add("inputs");
    }
    return missing;
  }

  void print(PrintStream out) {
    printPayment(out);
    missing().forEach(text -> out.println("missing: " + text));
    if (summary().isComplete()) {
      out.println("complete: murmur psbt finalize --broadcast sends the transaction");
    }
  }

  /** Its inputs and outputs, and the fee. */
  void printPayment(PrintStream out) {
    for (PsbtSummary.Input input : summary().inputs()) {
      String value = input.spent().map(spent -> unit.text(spent.value())).orElse("unknown");
      out.println(Text.of("spends   %16s  %s%s", value, input.outPoint(), ours(input.own())));
    }
    for (PsbtSummary.Output output : summary().outputs()) {
      String address = address(Optional.of(output.script()));
      out.println(
          Text.of(
              "pays     %16s  %s%s",
              unit.text(output.value()),
              address == null ? "script " + output.script().toHex() : address,
              ours(output.own())));
    }
    out.println(fee());
    objections().forEach(line -> out.println("warning: " + line));
  }

  private static String ours(Optional<Descriptor.PublicKey> own) {
    String path = path(own);
    return path == null ? "" : "  (ours, " + path + ")";
  }

  /** The fee with its rate, on one line. */
  String fee() {
    if (!summary().fee().isPresent()) {
      return "fee              unknown, at least "
          + unit.named(summary().leastFee())
          + ": a spent output is not in the PSBT";
    }
    String rate =
        feeRate()
            .map(r -> ", " + (summary().isComplete() ? "" : "at least ") + r + " sat/vB")
            .orElse("");
    return Text.of("fee      %16s%s", unit.text(summary().fee().getAsLong()), rate);
  }
}
