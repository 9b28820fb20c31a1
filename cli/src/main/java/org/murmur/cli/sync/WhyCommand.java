package org.murmur.cli.sync;

import java.io.PrintStream;
import java.math.BigInteger;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.murmur.cli.wallet.Txids;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.Why;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code murmur why}. */
@Command(
    name = "why",
    description = "Show which filter, peer and time covered a txid, address or height.",
    footer = {"Examples:", "  murmur why TXID", "  murmur why ADDRESS", "  murmur why 850000"})
public final class WhyCommand extends WalletAction {

  @Parameters(paramLabel = "TXID|ADDRESS|HEIGHT", description = "What to look up.")
  private String subject = "";

  @Override
  protected ExitCode run() {
    try (SpvWallet wallet = open()) {
      Why why = wallet.privacy().why(isBeginning(wallet) ? txid(wallet) : subject);
      return result(json(why), out -> show(why, out));
    }
  }

  /** Digits alone are a height, unless the chain is too short and a txid begins with them. */
  private boolean isBeginning(SpvWallet wallet) {
    if (!Txids.isBeginning(subject) || !subject.matches("\\d+")) {
      return Txids.isBeginning(subject);
    }
    return new BigInteger(subject).compareTo(BigInteger.valueOf(wallet.chain().height())) > 0
        && !Txids.beginning(wallet, subject).isEmpty();
  }

  private String txid(SpvWallet wallet) {
    return Txids.read(wallet, "TXID", subject).toDisplay();
  }

  private static JsonObject json(Why why) {
    return new JsonObject()
        .put("subject", why.subject())
        .put("height", why.height())
        .put("covered", why.covered())
        .put("peers", peers(why))
        .put("looks", why.looks().stream().map(WhyCommand::json).toList());
  }

  private static JsonObject json(Why.Look look) {
    return new JsonObject()
        .put("peer", look.peer())
        .put("time", look.time())
        .put("from", look.from())
        .put("to", look.to())
        .put("by", look.here() ? "block_filters" : "bloom_filter")
        .put("filter", look.load())
        .put("elements", look.elements())
        .put("holds", look.holds());
  }

  /** The peers that covered it, without duplicates. */
  private static List<String> peers(Why why) {
    return why.looks().stream()
        .filter(Why.Look::holds)
        .map(look -> look.peer().toString())
        .distinct()
        .toList();
  }

  private static boolean isPending(Why why) {
    return !why.height().isPresent() && why.subject().matches("[0-9a-fA-F]{64}");
  }

  private static void show(Why why, PrintStream out) {
    out.println(subject(why) + (isPending(why) ? " is in no block yet." : ""));
    out.println(
        why.covered()
            ? "Searched by " + String.join(", ", peers(why)) + "."
            : "NOT searched: no peer was asked about it.");
    for (Why.Look look : why.looks()) {
      out.println(
          Text.of(
              "  %s  %s  %s  %s %d of %s%s",
              look.time().truncatedTo(ChronoUnit.SECONDS),
              look.peer(),
              look.from() == look.to()
                  ? "block " + look.from()
                  : "blocks " + look.from() + " to " + look.to(),
              look.here() ? "block filters, tested here for set" : "filter",
              look.load(),
              Amounts.count(look.elements(), "element"),
              look.holds() ? "" : ", but not this"));
    }
  }

  /** The thing that was asked for; of a height its block. */
  private static String subject(Why why) {
    if (!why.height().isPresent()) {
      return why.subject();
    }
    String height = String.valueOf(why.height().getAsInt());
    return why.subject().equals(height)
        ? "Block " + height
        : why.subject() + "\nin block " + height;
  }
}
