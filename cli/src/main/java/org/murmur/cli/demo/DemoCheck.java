package org.murmur.cli.demo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.words.JsonObject;
import org.murmur.regtest.WalletTruth;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.SyncReport;

/**
 * Compares the result of a sync with the whole blocks.
 *
 * @param truth the wallet's state read from the whole blocks
 * @param transactionsAgree whether the transactions are equal, each with its height and its net
 *     amount
 */
record DemoCheck(WalletTruth truth, boolean balanceAgrees, boolean transactionsAgree) {

  static DemoCheck of(WalletTruth truth, SyncReport report, List<HistoryEntry> history) {
    boolean balance =
        truth.confirmedSat() == report.balance().confirmed()
            && truth.immatureSat() == report.balance().immature()
            && truth.unconfirmedSat() == report.balance().unconfirmed();
    Map<Hash256, String> expected = new HashMap<>();
    truth.transactions().forEach(e -> expected.put(e.txid(), e.height() + " " + e.netSat()));
    Map<Hash256, String> found = new HashMap<>();
    for (HistoryEntry entry : history) {
      found.put(entry.txid(), entry.height().orElse(WalletTruth.UNCONFIRMED) + " " + entry.net());
    }
    return new DemoCheck(truth, balance, expected.equals(found));
  }

  boolean agrees() {
    return balanceAgrees && transactionsAgree;
  }

  JsonObject json() {
    return new JsonObject()
        .put("confirmed_sat", truth.confirmedSat())
        .put("unconfirmed_sat", truth.unconfirmedSat())
        .put("immature_sat", truth.immatureSat())
        .put("transactions", truth.transactions().size())
        .put("balance_agrees", balanceAgrees)
        .put("transactions_agree", transactionsAgree)
        .put("agrees", agrees());
  }

  String text() {
    if (agrees()) {
      return "Compared with the whole blocks: balance and all "
          + truth.transactions().size()
          + " transactions agree.";
    }
    return "Compared with the whole blocks: DIFFERENT ("
        + (balanceAgrees ? "" : "balance ")
        + (transactionsAgree ? "" : "transactions")
        + "). That is a bug; please report it with the seed.";
  }
}
