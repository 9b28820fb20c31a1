package org.murmur.cli.sync;

import java.io.PrintStream;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.murmur.cli.wallet.Txids;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.JsonObject;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.Why;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code murmur why}. */
@Command(
    name = "why",
    description = "Show which filter, peer and time covered a txid, address or height.",
    footer = {"", "Examples:", "  murmur why TXID", "  murmur why ADDRESS", "  murmur why 850000"})
public final class WhyCommand extends WalletAction {

  @Parameters(paramLabel = "TXID|ADDRESS|HEIGHT", description = "What to look up.")
  private String subject = "";

  @Override
  protected ExitCode run() throws WalletException {
    try (SpvWallet wallet = open()) {
      // Digits alone are a height.
      boolean begins = Txids.isBeginning(subject) && !subject.matches("\\d+");
      Why why = wallet.why(begins ? Txids.read(wallet, "TXID", subject).toDisplay() : subject);
      output().result(json(why), out -> show(why, out));
    }
    return ExitCode.DONE;
  }

  private static JsonObject json(Why why) {
    List<JsonObject> looks = new ArrayList<>();
    for (Why.Look look : why.looks()) {
      looks.add(
          new JsonObject()
              .put("peer", look.peer().toString())
              .put("time", look.time().getEpochSecond())
              .put("from", look.from())
              .put("to", look.to())
              .put("filter", look.load())
              .put("elements", look.elements())
              .put("holds", look.holds()));
    }
    JsonObject json = new JsonObject().put("subject", why.subject());
    if (why.height().isPresent()) {
      json.put("height", why.height().getAsInt());
    } else {
      json.putNull("height");
    }
    return json.put("covered", why.covered()).putStrings("peers", peers(why)).put("looks", looks);
  }

  /** The peers that covered it, without duplicates. */
  private static List<String> peers(Why why) {
    Set<String> peers = new LinkedHashSet<>();
    for (Why.Look look : why.looks()) {
      if (look.holds()) {
        peers.add(look.peer().toString());
      }
    }
    return List.copyOf(peers);
  }

  private static boolean isPending(Why why) {
    return !why.height().isPresent() && why.subject().matches("[0-9a-fA-F]{64}");
  }

  private static void show(Why why, PrintStream out) {
    out.println(
        why.subject()
            + (why.height().isPresent() ? " (height " + why.height().getAsInt() + ")" : "")
            + (isPending(why) ? " is in no block so far; blocks were scanned for it" : "")
            + (why.covered() ? ": covered by " + String.join(", ", peers(why)) : ": NOT covered"));
    for (Why.Look look : why.looks()) {
      out.println(
          String.format(
              Locale.ROOT,
              "  %s  %-24s  blocks %d to %d  filter %d with %d elements%s",
              look.time().truncatedTo(ChronoUnit.SECONDS),
              look.peer(),
              look.from(),
              look.to(),
              look.load(),
              look.elements(),
              look.holds() ? "" : ", without this"));
    }
  }
}
