package org.murmur.cli.sync;

import java.io.PrintStream;
import java.time.temporal.ChronoUnit;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.payments.BalanceCommand;
import org.murmur.cli.payments.HistoryCommand;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ChainText;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.PeerFaults;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/** The report of a sync, for programs (every field is part of a contract) and for people. */
public final class Reports {

  private Reports() {}

  /** Writes the report of a sync in the format of the contract. */
  public static JsonObject json(String wallet, SyncReport report) {
    return new JsonObject()
        .put("network", report.network().name())
        .put("wallet", wallet)
        .put("complete", report.complete())
        .put("as_of", ChainText.json(report.chain()))
        .put("height", report.height())
        .put("tip", report.tip())
        .put("headers", report.height())
        .put("seen_by", report.seenBy())
        .put("verify", report.verify())
        .put("checked_by_filters", report.checkedByFilters())
        .put("spot_checked", report.spotChecked())
        .put("blocks_scanned", report.blocksScanned())
        .put("transactions", report.transactions())
        .put("balance", BalanceCommand.json(report.balance()))
        .put("mempool", report.mempool())
        .put("heard_since", report.heardSince())
        .put("false_positives", report.falsePositives())
        .put("bytes_received", report.bytesReceived())
        .put("bytes_sent", report.bytesSent())
        .put("elapsed_ms", report.elapsed())
        .put("peers", report.peers().stream().map(Reports::json).toList())
        .put("warnings", NoticeText.of(report.warnings()))
        .put("announced", report.announced().stream().map(Reports::json).toList())
        .put("lost", report.lost().stream().map(HistoryCommand::json).toList());
  }

  private static JsonObject json(SyncReport.Participant peer) {
    return new JsonObject()
        .put("address", peer.address())
        .put("user_agent", peer.userAgent())
        .put("encrypted", peer.encrypted())
        .put("blocks", peer.blocks())
        .put("headers", peer.headers())
        .put("misbehaviour", peer.misbehaviour())
        .put("problem", peer.problem());
  }

  private static JsonObject json(SyncReport.Announced payment) {
    return new JsonObject()
        .put("txid", payment.txid())
        .put("to", payment.to())
        .put("fetched_by", payment.fetchedBy())
        .put("relayed_by", payment.relayedBy());
  }

  private static String announced(SyncReport.Announced payment) {
    return "announced     payment "
        + payment.txid()
        + " to "
        + Amounts.listed(payment.to())
        + (payment.relayedBy().isEmpty()
            ? payment.fetchedBy().isEmpty() ? ", which did not fetch it" : ", which fetched it"
            : ": " + Amounts.listed(payment.relayedBy()) + " has it");
  }

  private static String completeAt(int height) {
    return "complete at height " + height;
  }

  private static String headline(SyncReport report) {
    if (report.complete()) {
      return completeAt(report.height());
    }
    if (report.ending() == SyncReport.Ending.CLOCK_BEHIND) {
      return "NOT complete: known to height " + report.height() + "; the clock seems to be behind";
    }
    if (report.ending() == SyncReport.Ending.ENDS_LONG_AGO) {
      return "NOT complete: known to height " + report.height() + ", a block several weeks old";
    }
    boolean known = report.ending() == SyncReport.Ending.TOO_FEW_PEERS && report.seenBy() > 0;
    if (!known) {
      return "NOT complete: " + report.chain().words();
    }
    String complete = "complete at height " + report.height() + ", but NOT ";
    return report.seenBy() < report.verify()
        ? complete + Text.of("seen by %s peers: by %s", report.verify(), report.seenBy())
        : complete + "checked by block filters";
  }

  public static void show(SyncReport report, Unit unit, PrintStream out) {
    out.println(headline(report));
    out.println("tip           " + report.tip());
    if (report.chain().scannedTo().isPresent()) {
      show(report.balance(), unit, out);
    }
    showCourse(report, out);
  }

  /** Prints the result as soon as all blocks are scanned, before the end of the sync. */
  static void show(WalletEvent.Complete complete, Unit unit, PrintStream out) {
    out.println(completeAt(complete.height()));
    show(complete.tip(), complete.balance(), unit, out);
  }

  /** Prints what is new since the result: pending payments, and how the sync went. */
  static void showRest(WalletEvent.Complete shown, SyncReport report, Unit unit, PrintStream out) {
    if (!isSame(report.balance(), shown.balance())) {
      show(report.balance(), unit, out);
    }
    showCourse(report, out);
  }

  /** Whether both are printed alike. */
  private static boolean isSame(Balance one, Balance other) {
    return one.confirmed() == other.confirmed()
        && one.unconfirmed() == other.unconfirmed()
        && one.immature() == other.immature();
  }

  /** Whether a result that was shown is that of the report, except for pending payments. */
  static boolean isStill(WalletEvent.Complete shown, SyncReport report) {
    return report.complete() && report.tip().equals(shown.tip());
  }

  private static void show(Hash256 tip, Balance balance, Unit unit, PrintStream out) {
    out.println("tip           " + tip);
    show(balance, unit, out);
  }

  private static void show(Balance balance, Unit unit, PrintStream out) {
    out.println("balance       " + unit.named(balance.total()));
    if (balance.unconfirmed() != 0 || balance.immature() != 0) {
      out.println("  confirmed   " + unit.text(balance.confirmed()));
      out.println("  unconfirmed " + unit.text(balance.unconfirmed()));
      out.println("  immature    " + unit.text(balance.immature()));
    }
  }

  private static void showCourse(SyncReport report, PrintStream out) {
    out.println(
        "seen by       "
            + Amounts.count(report.seenBy(), "peer")
            + (report.checkedByFilters() ? ", and checked by block filters" : ""));
    if (report.spotChecked() > 0) {
      out.println(
          "spot checks   "
              + Amounts.count(report.spotChecked(), "whole block")
              + " compared with the filtered blocks");
    }
    out.println("transactions  " + report.transactions());
    report.announced().forEach(payment -> out.println(announced(payment)));
    for (HistoryEntry payment : report.lost()) {
      out.println("lost          payment " + payment.txid() + ": " + HistoryCommand.fate(payment));
    }
    if (report.mempool() == MempoolAnswered.Answer.PARTIAL) {
      out.println(
          report.balance().unconfirmed() == 0
              ? "pending       none seen; a node that has none of yours does not answer"
              : "pending       more may come: no peer sent all of its unconfirmed payments in"
                  + " time");
    }
    if (report.mempool() == MempoolAnswered.Answer.BLOCKS_ONLY) {
      out.println("pending       not seen: --privacy compact sees them with --pool all or HOST");
    }
    report
        .heardSince()
        .ifPresent(
            since ->
                out.println(
                    "pending       what peers announced since "
                        + since.truncatedTo(ChronoUnit.SECONDS)));
    out.println(
        Text.of(
            "traffic       %s received, %s sent, %s in %.2f s, %s",
            Amounts.bytes(report.bytesReceived()),
            Amounts.bytes(report.bytesSent()),
            Amounts.count(report.blocksScanned(), "block"),
            report.elapsed().toMillis() / 1e3,
            Amounts.count(report.falsePositives(), "false positive")));
    for (SyncReport.Participant peer : report.peers()) {
      out.println(
          "peer          "
              + peer.address()
              + (peer.userAgent().isEmpty() ? "" : " " + peer.userAgent())
              + " served "
              + Amounts.count(peer.blocks(), "block")
              + (peer.encrypted() ? ", encrypted" : "")
              + PeerFaults.of(peer).map(fault -> ", " + fault).orElse(""));
    }
  }
}
