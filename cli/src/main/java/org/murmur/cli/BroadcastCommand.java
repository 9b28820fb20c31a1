package org.murmur.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.sync.PeerAddress;
import org.murmur.wallet.BroadcastReport;
import org.murmur.wallet.NoUsablePeerException;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.SyncOptions;
import org.murmur.wallet.WalletException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code murmur broadcast}. */
@Command(
    name = "broadcast",
    description = "Send a signed transaction; say who took it and who announced it back.",
    footer = {
      "",
      "A node refuses in silence: exit code 1 means that no peer fetched it, and 0 that one did, or",
      "that another announced it back.",
      "",
      "Examples:",
      "  murmur broadcast HEX --connect 127.0.0.1",
      "  murmur broadcast - --connect 127.0.0.1 < signed.hex"
    })
final class BroadcastCommand extends WalletAction {

  @Parameters(paramLabel = "HEX", description = "The signed transaction, or - for stdin.")
  private String hex = "";

  @Mixin private PeerArguments peers = new PeerArguments();

  @Override
  ExitCode run() throws WalletException, NoUsablePeerException {
    Tx tx;
    try {
      tx = Tx.parse(Inputs.hexOrStdin("the transaction", hex, surroundings()));
    } catch (MalformedException e) {
      throw new Failure(ExitCode.FAILED, "malformed", "no transaction: " + Failures.message(e), e);
    }
    requireSigned(tx);
    SyncOptions options = peers.toOptions(network(), surroundings().environment());
    BroadcastReport report;
    try (SpvWallet wallet = open()) {
      report =
          wallet.broadcast(
              tx,
              options,
              event -> {
                Events.write(event, output());
                String text = Events.text(event);
                if (!text.isEmpty()) {
                  output().detail(text);
                }
              });
    }
    output().result(json(report), out -> show(report, out));
    return report.takenBy().isEmpty() && report.announcedBy().isEmpty()
        ? ExitCode.FAILED
        : ExitCode.DONE;
  }

  /** Nodes refuse what is not signed, and say nothing. */
  private static void requireSigned(Tx tx) {
    for (int i = 0; i < tx.inputs().size() && !tx.hasWitness(); i++) {
      if (tx.inputs().get(i).scriptSig().isEmpty()) {
        throw new Failure(
            ExitCode.FAILED,
            "not_signed",
            "input " + i + " of the transaction is not signed: sign it first, Murmur does not",
            null);
      }
    }
  }

  private static JsonObject json(BroadcastReport report) {
    List<JsonObject> refused = new ArrayList<>();
    report
        .refusedBy()
        .forEach(
            (peer, reason) ->
                refused.add(
                    new JsonObject().put("address", peer.toString()).put("reason", reason)));
    return new JsonObject()
        .put("txid", report.txid().toDisplay())
        .putStrings("taken_by", report.takenBy().stream().map(PeerAddress::toString).toList())
        .putStrings(
            "announced_by", report.announcedBy().stream().map(PeerAddress::toString).toList())
        .put("refused_by", refused);
  }

  private static void show(BroadcastReport report, PrintStream out) {
    out.println("transaction   " + report.txid());
    report.takenBy().forEach(peer -> out.println("taken by      " + peer));
    report.announcedBy().forEach(peer -> out.println("announced by  " + peer));
    report
        .refusedBy()
        .forEach((peer, reason) -> out.println("refused by    " + peer + ": " + reason));
    if (!report.takenBy().isEmpty() && report.announcedBy().isEmpty()) {
      out.println(
          "Who took it may refuse it in silence: another peer's announcement or a block tells.");
    }
    if (report.takenBy().isEmpty() && report.announcedBy().isEmpty()) {
      out.println("Nobody fetched it: the peers know it already, or do not accept it.");
    }
  }
}
