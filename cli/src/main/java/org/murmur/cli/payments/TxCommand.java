package org.murmur.cli.payments;

import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.cli.terminal.Columns;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.TransactionDetail;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.sync.PaymentState;
import picocli.CommandLine.Command;

/** {@code murmur tx}. */
@Command(
    name = "tx",
    description = "Show one transaction with its block, proof and effect.",
    footer = {"Examples:", "  murmur tx TXID", "  murmur tx TXID --json"})
public final class TxCommand extends TxidAction {

  /** Columns before the index of an input or output. */
  private static final int INDENT = 11;

  /** Before an address that stands below its amount. */
  private static final String BELOW = "\n" + " ".repeat(INDENT + 6);

  @Override
  void run(SpvWallet wallet, Hash256 wanted) {
    TransactionDetail detail = find(wallet, wanted);
    result(json(wanted, detail), out -> show(wanted, detail, out));
  }

  private static JsonObject json(Hash256 txid, TransactionDetail detail) {
    Optional<Confirmation> at = detail.confirmation();
    long firstSeen = detail.firstSeen().getEpochSecond();
    return new JsonObject()
        .put("txid", txid)
        .put("status", detail.entry().status())
        .put("state", detail.entry().state().map(PaymentState::stage))
        .put("heard", detail.entry().heard())
        .put("height", at.map(Confirmation::height))
        .put("block", at.map(Confirmation::block))
        .putAll(HistoryCommand.REPLACEMENT.json(detail.entry().replacedBy()))
        .put("fee_sat", detail.entry().fee())
        .putAll(HistoryCommand.ORDER.json(detail.entry().state()))
        .put("time", at.map(Confirmation::time).orElse(firstSeen))
        .put("confirmations", detail.confirmations())
        .putText("label", detail.entry().label())
        .put("counterparty", counterparty(detail))
        .put("recipients", recipients(detail))
        .put("first_seen", firstSeen)
        .put("net_sat", detail.entry().net())
        .put("received", parts(detail.received()))
        .put("spent", parts(detail.spent()))
        .put("proof", detail.proof().map(MerkleBlock::toPayload))
        .put("hex", detail.tx().raw());
  }

  private static List<String> counterparty(TransactionDetail detail) {
    return detail.paid().stream().flatMap(paid -> paid.address().stream()).distinct().toList();
  }

  private static List<JsonObject> recipients(TransactionDetail detail) {
    return detail.paid().stream()
        .map(
            paid ->
                new JsonObject()
                    .put("index", paid.index())
                    .put("value_sat", paid.value())
                    .put("address", paid.address()))
        .toList();
  }

  private static List<JsonObject> parts(List<TransactionDetail.Part> parts) {
    return parts.stream()
        .map(
            part ->
                new JsonObject()
                    .put("index", part.index())
                    .put("txid", part.coin().txid())
                    .put("vout", Integer.toUnsignedLong(part.coin().index()))
                    .put("value_sat", part.value())
                    .put("address", part.address())
                    .put("change", part.change())
                    .putText("path", part.path()))
        .toList();
  }

  private void show(Hash256 txid, TransactionDetail detail, PrintStream out) {
    Unit unit = output().unit();
    @Nullable Confirmation at = detail.confirmation().orElse(null);
    out.println("effect       " + unit.signed(detail.entry().net()) + " " + unit);
    String status = at == null ? fate(detail) : confirmed(detail, at);
    List<String> lines =
        narrow() ? Columns.wrapped(status, " ".repeat(13)) : List.of(" ".repeat(13) + status);
    out.println("status" + String.join("\n", lines).substring("status".length()));
    if (!detail.entry().label().isEmpty()) {
      out.println("label        " + detail.entry().label());
    }
    if (detail.entry().fee().isPresent()) {
      out.println("fee          " + fee(detail, detail.entry().fee().getAsLong()));
    } else if (!detail.spent().isEmpty()) {
      out.println("fee          unknown: not all inputs are the wallet's");
    }
    for (TransactionDetail.Part part : detail.spent()) {
      out.println("  input    " + line(part, "-"));
    }
    for (TransactionDetail.Paid paid : detail.paid()) {
      out.println(
          "  pays     "
              + withAddress(
                  Text.of("%4d  %16s", paid.index(), unit.text(paid.value())),
                  paid.address().orElse("data or a script without an address")));
    }
    for (TransactionDetail.Part part : detail.received()) {
      out.println((part.change() ? "  change   " : "  receives ") + line(part, "+"));
    }
    out.println("transaction  " + txid);
    if (at != null) {
      out.println("block        " + at.block());
      out.println("block's time " + Instant.ofEpochSecond(at.time()));
    }
    out.println("first seen   " + detail.firstSeen());
    out.println(
        "proof        "
            + (detail.proof().isPresent()
                ? "yes (murmur proof show "
                    + (narrow() ? HistoryRows.shortened(txid) : txid.toDisplay())
                    + ")"
                : "none"));
  }

  private static String confirmed(TransactionDetail detail, Confirmation at) {
    return "in block " + at.height() + ", " + Amounts.count(detail.confirmations(), "confirmation");
  }

  private static String fate(TransactionDetail detail) {
    String fate =
        HistoryCommand.fate(
            detail.entry().status(),
            detail.entry().heard(),
            detail.entry().state(),
            detail.entry().replacedBy(),
            detail.firstSeen(),
            HistoryCommand.WHOLE);
    return fate.isEmpty() ? Text.lower(detail.entry().status()) : fate;
  }

  /** The stored transaction may lack its witness data, so the rate is not known. */
  private String fee(TransactionDetail detail, long fee) {
    return output().unit().named(fee)
        + (detail.tx().hasWitness()
            ? Text.of(", %.2f sat/vB", (double) fee / detail.tx().virtualSize())
            : "");
  }

  private String line(TransactionDetail.Part part, String sign) {
    String amount = sign + output().unit().text(part.value());
    String head = Text.of("%4d  %16s", part.index(), amount);
    return narrow() && !part.path().isEmpty()
        ? head + "  " + part.path() + BELOW + part.address()
        : withAddress(head, part.address()) + "  " + part.path();
  }

  /** On a terminal a long address has a line of its own. */
  private String withAddress(String head, String address) {
    boolean fits = INDENT + head.length() + 2 + address.length() <= Columns.WIDTH;
    return narrow() && !fits ? head + BELOW + address : head + "  " + address;
  }
}
