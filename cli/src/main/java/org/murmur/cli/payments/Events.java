package org.murmur.cli.payments;

import java.util.Locale;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.sync.Unsearched;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletWarning;

/** The events of a sync as a stream for programs, and as lines of a log. */
public final class Events {

  private Events() {}

  /** Writes an event to the stream for programs. Notes go to the log only. */
  public static void write(WalletEvent event, Output output) {
    JsonObject json = new JsonObject();
    if (event instanceof WalletEvent.Progress e) {
      json.put("headers", e.headers())
          .put("target", e.target())
          .put("scanned", e.scanned())
          .put("to_scan", e.toScan())
          .put("bytes_received", e.bytesReceived())
          .put("elapsed_ms", e.elapsed().toMillis());
      output.event("progress", json);
    } else if (event instanceof WalletEvent.PeerReady e) {
      json.put("address", e.address().toString())
          .put("user_agent", e.userAgent())
          .put("services", e.services())
          .put("height", e.height());
      output.event("peer_ready", json);
    } else if (event instanceof WalletEvent.PeerLost e) {
      json.put("address", e.address().toString())
          .put("misbehaviour", e.misbehaviour().orElse(null))
          .put("detail", e.detail());
      output.event("peer_lost", json);
    } else if (event instanceof WalletEvent.PaymentSeen e) {
      output.event("payment_seen", HistoryCommand.json(e.transaction()));
    } else if (event instanceof WalletEvent.PaymentConfirmed e) {
      output.event("payment_confirmed", HistoryCommand.json(e.transaction()));
    } else if (event instanceof WalletEvent.PaymentUnconfirmed e) {
      output.event("payment_unconfirmed", HistoryCommand.json(e.transaction()));
    } else if (event instanceof WalletEvent.PaymentReplaced e) {
      output.event("payment_replaced", HistoryCommand.json(e.transaction()));
    } else if (event instanceof WalletEvent.PaymentGone e) {
      output.event("payment_gone", HistoryCommand.json(e.transaction()));
    } else if (event instanceof WalletEvent.PaymentStateChanged e) {
      output.event("payment_state", BroadcastText.json(e.txid(), e.state()));
    } else if (event instanceof WalletEvent.Reorganised e) {
      json.put("fork_height", e.forkHeight()).put("old_height", e.oldHeight());
      output.event("reorganised", json);
    } else if (event instanceof WalletEvent.Complete e) {
      json.put("height", e.height())
          .put("tip", e.tip().toDisplay())
          .put("balance", BalanceCommand.json(e.balance()))
          .put(
              "unsearched",
              new JsonObject()
                  .put("coins", e.unsearched().coins())
                  .put("value_sat", e.unsearched().value())
                  .put("addresses", e.unsearched().addresses())
                  .put("until_height", e.unsearched().untilHeight()));
      output.event("complete", json);
    } else if (event instanceof WalletEvent.MempoolAwaited e) {
      json.put("peer", e.peer().toString()).put("limit_ms", e.limit().toMillis());
      output.event("mempool_awaited", json);
    } else if (event instanceof WalletEvent.MempoolAnswered e) {
      json.put("mempool", e.answer().name().toLowerCase(Locale.ROOT));
      output.event("mempool", json);
    } else if (event instanceof WalletEvent.TransactionTaken e) {
      json.put("txid", e.txid().toDisplay()).put("peer", e.peer().toString());
      output.event("transaction_taken", json);
    } else if (event instanceof WalletEvent.TransactionAccepted e) {
      json.put("txid", e.txid().toDisplay()).put("peer", e.peer().toString());
      output.event("transaction_accepted", json);
    } else if (event instanceof WalletEvent.TransactionOffered e) {
      json.put("txid", e.txid().toDisplay()).put("peer", e.peer().toString());
      output.event("transaction_offered", json);
    } else if (event instanceof WalletEvent.TransactionAnnounced e) {
      json.put("txid", e.txid().toDisplay()).put("peer", e.peer().toString());
      output.event("transaction_announced", json);
    } else if (event instanceof WalletEvent.TransactionRefused e) {
      json.put("txid", e.txid().toDisplay())
          .put("peer", e.peer().toString())
          .put("reason", e.reason());
      output.event("transaction_refused", json);
    } else if (event instanceof WalletEvent.Forewarning e) {
      output.event("warning", warning(e.what()));
    } else if (event instanceof WalletEvent.Warning e) {
      output.event("warning", warning(e.what()));
    }
    // Notes are for the log alone.
  }

  /**
   * Says what a balance cannot know yet.
   *
   * @return goes on after the balance; empty if it is known
   */
  public static String text(Unsearched what, Unit unit) {
    if (what.isNothing()) {
      return "";
    }
    String coins =
        what.coins() == 0
            ? ""
            : " ("
                + unit.named(what.value())
                + " of it came since the last tick: a spend by another copy of the keys shows at"
                + " height "
                + what.untilHeight()
                + ")";
    String addresses =
        what.addresses() == 0
            ? ""
            : " (payments to "
                + what.addresses()
                + " new addresses show at height "
                + what.untilHeight()
                + ")";
    return coins + addresses;
  }

  private static JsonObject warning(WalletWarning what) {
    return new JsonObject().put("text", NoticeText.of(what)).put("kind", what.kind());
  }

  /** Names the kind of a line; the log counts lines by kind. */
  public static String kind(WalletEvent event) {
    return event instanceof WalletEvent.Note note
        ? note.topic().name().toLowerCase(Locale.ROOT)
        : event
            .getClass()
            .getSimpleName()
            .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
            .toLowerCase(Locale.ROOT);
  }

  /**
   * Makes a line for the log.
   *
   * @return empty for events that are printed by other code
   */
  public static String text(WalletEvent event) {
    if (event instanceof WalletEvent.PeerReady e) {
      return e.address() + " connected: " + e.userAgent() + ", height " + e.height();
    }
    if (event instanceof WalletEvent.PeerLost e) {
      return e.address() + " disconnected: " + e.detail();
    }
    if (event instanceof WalletEvent.MempoolAnswered e) {
      return "unconfirmed transactions: " + e.answer().name().toLowerCase(Locale.ROOT);
    }
    if (event instanceof WalletEvent.TransactionTaken e) {
      return e.peer() + " fetched " + e.txid();
    }
    if (event instanceof WalletEvent.TransactionAccepted e) {
      return e.peer() + " accepted " + e.txid();
    }
    if (event instanceof WalletEvent.TransactionOffered e) {
      return "announced " + e.txid() + " to " + e.peer();
    }
    if (event instanceof WalletEvent.TransactionAnnounced e) {
      return e.peer() + " announced " + e.txid();
    }
    if (event instanceof WalletEvent.TransactionRefused e) {
      return e.peer() + " refused " + e.txid() + ": " + e.reason();
    }
    if (event instanceof WalletEvent.PaymentStateChanged e) {
      return "payment " + e.txid() + " is " + BroadcastText.words(e.state());
    }
    if (event instanceof WalletEvent.Complete e) {
      return "complete at height " + e.height();
    }
    if (event instanceof WalletEvent.Note e) {
      return e.peer() + ": " + e.text();
    }
    if (event instanceof WalletEvent.Warning e) {
      return "warning: " + NoticeText.of(e.what());
    }
    return "";
  }
}
