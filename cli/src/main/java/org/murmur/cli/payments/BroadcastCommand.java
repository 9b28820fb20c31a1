package org.murmur.cli.payments;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.JsonObject;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code murmur broadcast}. */
@Command(
    name = "broadcast",
    description = "Send a signed transaction; say which peers fetched, have or announced it.",
    footer = {
      "",
      "Nodes refuse without a message, and do not fetch what they have. So Murmur asks each peer",
      "for the transaction afterwards: a peer that returns it has accepted it. Exit code 0: a",
      "peer fetched, has or announced it, or it is already in a block of the wallet. 1: none of",
      "these. 4: no peer could be asked.",
      "",
      "Examples:",
      "  murmur broadcast HEX --connect 127.0.0.1",
      "  murmur broadcast - --connect 127.0.0.1 < signed.hex"
    })
public final class BroadcastCommand extends WalletAction {

  @Parameters(paramLabel = "HEX", description = "The signed transaction, or - for stdin.")
  private String hex = "";

  @Mixin private PeerArguments peers = new PeerArguments();

  @Override
  protected ExitCode run() throws WalletException, NoUsablePeerException {
    Tx tx;
    try {
      tx = Tx.parse(Inputs.hexOrStdin("the transaction", hex, surroundings()));
    } catch (MalformedException e) {
      throw new Failure(ExitCode.FAILED, "malformed", "no transaction: " + Failures.message(e), e);
    }
    requireSigned(tx);
    SyncOptions options = peers.toOptions(network(), surroundings().environment());
    BroadcastReport report;
    int height;
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
      height = wallet.chain().height();
    }
    output().result(json(report, height), out -> show(report, height, out));
    return report.takenBy().isEmpty() && !report.isAccepted() ? ExitCode.FAILED : ExitCode.DONE;
  }

  /** Nodes refuse unsigned transactions without a message. */
  private static void requireSigned(Tx tx) {
    for (int i = 0; i < tx.inputs().size() && !tx.hasWitness(); i++) {
      if (tx.inputs().get(i).scriptSig().isEmpty()) {
        throw new Failure(
            ExitCode.FAILED,
            "not_signed",
            "input " + i + " of the transaction is not signed: sign it first, Murmur cannot",
            null);
      }
    }
  }

  private static JsonObject json(BroadcastReport report, int height) {
    JsonObject json =
        new JsonObject()
            .put("txid", report.txid().toDisplay())
            .putStrings("taken_by", names(report.takenBy()))
            .putStrings("fetched_by", names(report.takenBy()))
            .putStrings("accepted_by", names(report.acceptedBy()))
            .putStrings("known_by", names(report.knownBy()))
            .putStrings("announced_by", names(report.announcedBy()))
            .put("refused_by", reasons(report.refusedBy()))
            .put("problems", reasons(report.problems()));
    if (!report.confirmation().isPresent()) {
      return json.putNull("height").putNull("confirmations");
    }
    int at = report.confirmation().get().height();
    return json.put("height", at).put("confirmations", height - at + 1);
  }

  private static List<JsonObject> reasons(Map<PeerAddress, String> peers) {
    List<JsonObject> reasons = new ArrayList<>();
    peers.forEach(
        (peer, reason) ->
            reasons.add(new JsonObject().put("address", peer.toString()).put("reason", reason)));
    return reasons;
  }

  private static List<String> names(List<PeerAddress> peers) {
    return peers.stream().map(PeerAddress::toString).toList();
  }

  private static void show(BroadcastReport report, int height, PrintStream out) {
    out.println("transaction   " + report.txid());
    report.takenBy().forEach(peer -> out.println("fetched by    " + peer));
    for (PeerAddress peer : report.acceptedBy()) {
      boolean fetched = report.takenBy().contains(peer);
      out.println((fetched ? "accepted by   " : "known by      ") + peer);
    }
    report.announcedBy().forEach(peer -> out.println("announced by  " + peer));
    report
        .refusedBy()
        .forEach((peer, reason) -> out.println("refused by    " + peer + ": " + reason));
    report
        .problems()
        .forEach((peer, reason) -> out.println("not reached   " + peer + ": " + reason));
    if (report.confirmation().isPresent()) {
      int at = report.confirmation().get().height();
      out.println("in block      " + at + ", " + confirmations(height - at + 1));
      out.println("No peer was contacted: the wallet already has it in a block.");
    } else if (report.takenBy().isEmpty() && !report.knownBy().isEmpty()) {
      out.println("A peer already has it: it waits for a block.");
    } else if (report.isAccepted()) {
      out.println("A peer has it in its memory pool: it waits for a block.");
    } else if (!report.takenBy().isEmpty()) {
      out.println(
          "No peer is known to have accepted it: the peers that fetched it did not return it when"
              + " asked, and may have refused it. `murmur history` marks it until a peer or a"
              + " block has it; `murmur abandon` frees its coins.");
    } else {
      out.println(
          "No peer fetched it, and none returns it: they do not accept it, or it is in a block"
              + " that this wallet has not seen.");
    }
  }

  private static String confirmations(int count) {
    return count + (count == 1 ? " confirmation" : " confirmations");
  }
}
