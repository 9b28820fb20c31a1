package org.murmur.cli.payments;

import java.util.Locale;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.NoticeText;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.sync.Unsearched;
import org.murmur.wallet.sync.WalletEvent;

/** The events of a sync as a stream for programs, and as lines of a log. */
public final class Events {

  private Events() {}

  /** Writes an event to the stream for programs. Notes go to the log only. */
  public static void write(SyncEvent event, Output output) {
    JsonObject json = new JsonObject();
    if (event instanceof SyncEvent.Progress e) {
      json.put("headers", e.headers())
          .put("target", e.target())
          .put("scanned", e.scanned())
          .put("to_scan", e.toScan())
          .put("bytes_received", e.bytesReceived())
          .put("elapsed_ms", e.elapsed());
      e.search()
          .ifPresent(
              search ->
                  json.put("service", search.service())
                      .put("peers_found", search.found())
                      .put("peers_wanted", search.wanted())
                      .put("nodes_answered", search.reached())
                      .put("with_filters", search.compact()));
      output.event("progress", json);
    } else if (event instanceof SyncEvent.PeerReady e) {
      json.put("address", e.address())
          .put("user_agent", e.userAgent())
          .put("services", e.services())
          .put("height", e.height())
          .put("encrypted", e.encrypted());
      output.event("peer_ready", json);
    } else if (event instanceof SyncEvent.PeerLost e) {
      json.put("address", e.address())
          .put("misbehaviour", e.misbehaviour())
          .put("detail", e.detail());
      output.event("peer_lost", json);
    } else if (event instanceof WalletEvent.Payment e) {
      output.event("payment_" + Text.lower(e.change()), HistoryCommand.json(e.entry()));
    } else if (event instanceof WalletEvent.PaymentStateChanged e) {
      output.event("payment_state", BroadcastText.json(e.txid(), e.state()));
    } else if (event instanceof WalletEvent.Reorganised e) {
      json.put("fork_height", e.forkHeight()).put("old_height", e.oldHeight());
      output.event("reorganised", json);
    } else if (event instanceof WalletEvent.Complete e) {
      json.put("height", e.height())
          .put("tip", e.tip())
          .put("balance", BalanceCommand.json(e.balance()))
          .put(
              "unsearched",
              new JsonObject()
                  .put("coins", e.unsearched().coins())
                  .put("value_sat", e.unsearched().value())
                  .put("addresses", e.unsearched().addresses())
                  .put("until_height", e.unsearched().untilHeight()));
      output.event("complete", json);
    } else if (event instanceof SyncEvent.MempoolAwaited e) {
      json.put("peer", e.peer()).put("limit_ms", e.limit());
      output.event("mempool_awaited", json);
    } else if (event instanceof SyncEvent.MempoolAnswered e) {
      json.put("mempool", Text.lower(e.answer())).put("heard_since", e.since());
      output.event("mempool", json);
    } else if (event instanceof SyncEvent.PeerReaction e) {
      json.put("txid", e.txid()).put("peer", e.peer());
      if (e.kind() == SyncEvent.PeerReaction.Kind.REFUSED) {
        json.put("reason", e.reason());
      }
      output.event("transaction_" + Text.lower(e.kind()), json);
    } else if (event instanceof SyncEvent.Warning e) {
      output.event("warning", new JsonObject().put("text", NoticeText.of(e)).put("kind", e.kind()));
    }
    // Notes are for the log alone.
  }

  /**
   * Says what a balance cannot know yet, in words that follow the balance; empty if it is known.
   */
  public static String text(Unsearched what, Unit unit) {
    if (what.isNothing()) {
      return "";
    }
    String coins =
        what.coins() == 0
            ? ""
            : Text.of(
                " (%s of it came since the last tick: a spend by another copy of the keys shows at"
                    + " height %s)",
                unit.named(what.value()), what.untilHeight());
    String addresses =
        what.addresses() == 0
            ? ""
            : Text.of(
                " (payments to %s new addresses show at height %s)",
                what.addresses(), what.untilHeight());
    return coins + addresses;
  }

  /** Names the kind of a line; the log counts lines by kind. */
  public static String kind(SyncEvent event) {
    if (event instanceof SyncEvent.Note note) {
      return Text.lower(note.topic());
    }
    if (event instanceof SyncEvent.PeerReaction reaction) {
      return "transaction " + Text.lower(reaction.kind());
    }
    return event instanceof SyncEvent.Warning
        ? "warning"
        : event
            .getClass()
            .getSimpleName()
            .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
            .toLowerCase(Locale.ROOT);
  }

  /** Writes an event to the stream for programs, and to the log. */
  public static void report(SyncEvent event, Output output) {
    write(event, output);
    String text = text(event);
    if (!text.isEmpty()) {
      output.detail(text);
    }
  }

  /** Makes a line for the log; empty for events that are printed by other code. */
  public static String text(SyncEvent event) {
    if (event instanceof SyncEvent.PeerReady e) {
      String how = e.encrypted() ? ", encrypted" : ", in the clear";
      return e.address() + " connected: " + e.userAgent() + ", height " + e.height() + how;
    }
    if (event instanceof SyncEvent.PeerLost e) {
      return e.address() + " disconnected: " + e.detail();
    }
    if (event instanceof SyncEvent.MempoolAnswered e) {
      return "unconfirmed transactions: " + Text.lower(e.answer());
    }
    if (event instanceof SyncEvent.PeerReaction e) {
      return switch (e.kind()) {
        case FETCHED -> e.peer() + " fetched " + e.txid();
        case ACCEPTED -> e.peer() + " accepted " + e.txid();
        case OFFERED -> "announced " + e.txid() + " to " + e.peer();
        case ANNOUNCED -> e.peer() + " announced " + e.txid();
        case REFUSED -> e.peer() + " refused " + e.txid() + ": " + e.reason();
      };
    }
    if (event instanceof WalletEvent.PaymentStateChanged e) {
      return "payment " + e.txid() + " is " + BroadcastText.words(e.state());
    }
    if (event instanceof WalletEvent.Complete e) {
      return "complete at height " + e.height();
    }
    if (event instanceof SyncEvent.Note e) {
      return e.peer() + ": " + e.text();
    }
    if (event instanceof SyncEvent.Warning e) {
      return "warning: " + NoticeText.of(e);
    }
    return "";
  }
}
