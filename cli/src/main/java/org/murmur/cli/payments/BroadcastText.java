package org.murmur.cli.payments;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Limits;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.PaymentState;

/** Reports of broadcasts, for people and programs. */
public final class BroadcastText {

  private static final String ELSEWHERE =
      " A coin of it may be spent elsewhere; `murmur sync` finds that out.";

  private BroadcastText() {}

  /** How the wait for the peers' reactions ended. */
  public enum Waited {
    /** The peers had the usual time. */
    FULLY,
    /** The user allowed less time. */
    SHORTLY,
    /** Ctrl-C ended it. */
    INTERRUPTED;

    /** Says how long peers had, and how it ended if no peer had accepted it by then. */
    public static Waited of(Limits limits, boolean interrupted) {
      boolean less = limits.time().compareTo(limits.broadcastWait()) < 0;
      return interrupted ? INTERRUPTED : less ? SHORTLY : FULLY;
    }
  }

  /** Writes a payment's state: the fields of the event {@code payment_state}. */
  static JsonObject json(Hash256 txid, PaymentState state) {
    return new JsonObject()
        .put("txid", txid)
        .put("state", state.stage())
        .put("ordered", state.ordered())
        .put("fetched_by", state.fetchedBy())
        .put("relayed_by", state.relayedBy())
        .put("refused_by", reasons(state.refusedBy()));
  }

  /** A payment's state for people, with the peers of this session. */
  static String words(PaymentState state) {
    List<NodeAddress> peers =
        state.stage() == PaymentState.Stage.RELAYED ? state.relayedBy() : state.fetchedBy();
    return switch (state.stage()) {
      case SENT -> "sent: fetched by " + Amounts.listed(peers);
      case RELAYED -> peers.isEmpty() ? "relayed" : "relayed: " + Amounts.listed(peers) + " has it";
      case REFUSED -> "refused: " + String.join(", ", state.refusedBy().values());
      default -> Text.lower(state.stage());
    };
  }

  /** Writes a report: the fields of {@code broadcast --json}. */
  public static JsonObject json(BroadcastReport report, int height) {
    Optional<Integer> at = report.confirmation().map(Confirmation::height);
    return new JsonObject()
        .put("txid", report.txid())
        .put("state", PaymentState.of(report).stage())
        .put("taken_by", report.fetchedBy())
        .put("fetched_by", report.fetchedBy())
        .put("accepted_by", report.acceptedBy())
        .put("known_by", report.knownBy())
        .put("announced_by", report.announcedBy())
        .put("refused_by", reasons(report.refusedBy()))
        .put("problems", reasons(report.problems()))
        .put("height", at)
        .put("confirmations", at.map(block -> height - block + 1));
  }

  private static List<JsonObject> reasons(Map<NodeAddress, String> peers) {
    return peers.entrySet().stream()
        .map(peer -> new JsonObject().put("address", peer.getKey()).put("reason", peer.getValue()))
        .toList();
  }

  /** Prints a report, and how the wait for the peers ended. */
  public static void show(BroadcastReport report, int height, Waited waited, PrintStream out) {
    out.println("transaction   " + report.txid());
    report.fetchedBy().forEach(peer -> out.println("fetched by    " + peer));
    for (NodeAddress peer : report.acceptedBy()) {
      boolean fetched = report.fetchedBy().contains(peer);
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
      out.println("in block      " + at + ", " + Amounts.count(height - at + 1, "confirmation"));
      out.println("No peer was contacted: the wallet already has it in a block.");
    } else if (report.fetchedBy().isEmpty() && !report.knownBy().isEmpty()) {
      out.println("A peer already has it: it waits for a block.");
    } else if (report.isAccepted()) {
      out.println("A peer has it in its memory pool: it waits for a block.");
    } else if (waited != Waited.FULLY && report.refusedBy().isEmpty()) {
      out.println(
          (waited == Waited.SHORTLY
                  ? "The time of --timeout ran out before a peer said that it has it."
                  : "It was interrupted before a peer said that it has it.")
              + " A peer may have it nevertheless.");
    } else if (!report.fetchedBy().isEmpty()) {
      out.println(
          "No peer is known to have accepted it: the peers that fetched it did not return it when"
              + " asked, and may have refused it. `murmur history` marks it until a peer or a"
              + " block has it; `murmur abandon` frees its coins."
              + ELSEWHERE);
    } else if (!report.refusedBy().isEmpty()) {
      out.println(
          "No peer takes it, for the reason above. `murmur bump` raises its fee, `murmur abandon`"
              + " frees its coins.");
    } else {
      out.println(
          "No peer fetched it, and none returns it: they do not accept it, or it is in a block"
              + " that this wallet has not seen."
              + ELSEWHERE);
    }
  }
}
