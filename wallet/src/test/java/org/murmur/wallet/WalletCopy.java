package org.murmur.wallet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.murmur.coins.spend.InputCoin;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.WalletEvent;

/**
 * A copy of a wallet that is updated by events alone. Pure: an event makes a new copy from an old
 * one.
 *
 * @param transactions those that count, by txid
 * @param tip of the block it was complete at, in display order; empty before the first
 * @param height of that block
 */
record WalletCopy(Map<String, HistoryEntry> transactions, String tip, int height) {

  static final WalletCopy EMPTY = new WalletCopy(Map.of(), "", 0);

  static WalletCopy fold(List<SyncEvent> events) {
    WalletCopy copy = EMPTY;
    for (SyncEvent event : events) {
      copy = copy.after(event);
    }
    return copy;
  }

  WalletCopy after(SyncEvent event) {
    if (event instanceof WalletEvent.Payment e) {
      return e.counts() ? with(e.entry()) : without(e.entry());
    } else if (event instanceof WalletEvent.Complete e) {
      return new WalletCopy(transactions, e.tip().toString(), e.height());
    }
    return this;
  }

  private WalletCopy with(HistoryEntry entry) {
    Map<String, HistoryEntry> more = new HashMap<>(transactions);
    more.put(entry.txid().toString(), entry);
    return new WalletCopy(more, tip, height);
  }

  private WalletCopy without(HistoryEntry entry) {
    Map<String, HistoryEntry> fewer = new HashMap<>(transactions);
    fewer.remove(entry.txid().toString());
    return new WalletCopy(fewer, tip, height);
  }

  /** The three sums, in satoshi, as of the block it was complete at. */
  Balance balance() {
    long confirmed = 0;
    long unconfirmed = 0;
    long immature = 0;
    for (HistoryEntry entry : transactions.values()) {
      if (!entry.height().isPresent()) {
        unconfirmed += entry.net();
      } else if (entry.coinbase()
          && height - entry.height().getAsInt() + 1 < InputCoin.COINBASE_MATURITY) {
        immature += entry.net();
      } else {
        confirmed += entry.net();
      }
    }
    return new Balance(confirmed, unconfirmed, immature, 0);
  }

  /** All of it as text, for comparison. */
  Map<String, String> words() {
    Map<String, String> words = new TreeMap<>();
    transactions.forEach(
        (txid, entry) ->
            words.put(
                txid,
                (entry.height().isPresent() ? "" + entry.height().getAsInt() : "pending")
                    + " "
                    + entry.net()));
    words.put("balance", balance().toString());
    words.put("tip", tip);
    return words;
  }

  /** The report of a node's own wallet, as the same text. */
  static Map<String, String> words(ExpectedWallet expected) {
    Map<String, String> words = new TreeMap<>();
    for (ExpectedWallet.Transaction tx : expected.transactions()) {
      words.put(tx.txid(), (tx.height() == null ? "pending" : tx.height()) + " " + tx.net());
    }
    words.put(
        "balance",
        new Balance(expected.confirmed(), expected.unconfirmed(), expected.immature(), 0)
            .toString());
    words.put("tip", expected.tip());
    return words;
  }
}
