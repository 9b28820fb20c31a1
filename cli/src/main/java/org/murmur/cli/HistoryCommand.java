package org.murmur.cli;

import java.io.PrintStream;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.wallet.HistoryEntry;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur history}. */
@Command(
    name = "history",
    description = "List the wallet's transactions, newest last.",
    footer = {
      "",
      "Examples:",
      "  murmur history",
      "  murmur history --csv > history.csv",
      "  murmur transactions --json"
    })
final class HistoryCommand extends WalletAction {

  @Option(names = "--csv", description = "Comma-separated values with a heading.")
  private boolean csv;

  @Option(names = "--all", description = "Replaced and dead transactions, too.")
  private boolean all;

  @Override
  ExitCode run() throws WalletException {
    if (csv && !output().forPeople()) {
      throw Failure.usage("give one of --csv, --json and --jsonl");
    }
    try (SpvWallet wallet = open()) {
      List<HistoryEntry> entries = all ? wallet.fullHistory() : wallet.history();
      List<JsonObject> transactions = entries.stream().map(HistoryCommand::json).toList();
      output()
          .result(
              new JsonObject().put("transactions", transactions),
              out -> {
                if (csv) {
                  csv(entries, out);
                } else {
                  table(entries, out);
                }
              });
      if (entries.isEmpty() && output().forPeople()) {
        output().note("no transactions as of height " + wallet.chain().height());
      }
    }
    return ExitCode.DONE;
  }

  /** An entry as the contract has it, times in seconds since 1970. */
  static JsonObject json(HistoryEntry entry) {
    JsonObject json = new JsonObject().put("txid", entry.txid().toDisplay());
    if (entry.height().isPresent()) {
      json.put("height", entry.height().getAsInt());
    } else {
      json.putNull("height");
    }
    return json.put("time", entry.time().getEpochSecond())
        .put("net_sat", entry.net())
        .putStrings("addresses", entry.addresses())
        .put("status", status(entry))
        .put("coinbase", entry.coinbase());
  }

  private static String status(HistoryEntry entry) {
    return entry.status().name().toLowerCase(Locale.ROOT);
  }

  /** One line for people. */
  static String line(HistoryEntry entry) {
    return String.format(
        Locale.ROOT,
        "%-20s  %8s  %16s  %s",
        entry.time().truncatedTo(ChronoUnit.SECONDS),
        entry.height().isPresent() ? entry.height().getAsInt() : status(entry),
        Amounts.signedBtc(entry.net()),
        entry.txid());
  }

  private static void table(List<HistoryEntry> entries, PrintStream out) {
    entries.forEach(entry -> out.println(line(entry)));
  }

  private static void csv(List<HistoryEntry> entries, PrintStream out) {
    out.println("txid,height,time,net_btc,net_sat,status,addresses");
    for (HistoryEntry entry : entries) {
      List<String> cells = new ArrayList<>();
      cells.add(entry.txid().toDisplay());
      cells.add(entry.height().isPresent() ? String.valueOf(entry.height().getAsInt()) : "");
      cells.add(entry.time().toString());
      cells.add(Amounts.btc(entry.net()));
      cells.add(String.valueOf(entry.net()));
      cells.add(status(entry));
      cells.add(String.join(" ", entry.addresses()));
      out.println(String.join(",", cells));
    }
  }
}
