package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.keys.Mnemonic;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.testbed.bitcoind.JsonRpc;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** The node's own wallet as the oracle: restores the same words, syncs, and compares everything. */
final class Oracle {

  /** Long enough for a machine that is busy with other tests; there is no assertion about time. */
  static final Duration LIMIT = Duration.ofMinutes(3);

  private Oracle() {}

  static WalletRecipe recipe(List<String> words) {
    return WalletRecipe.ofMnemonic(
        ChainParams.REGTEST,
        Mnemonic.parse(String.join(" ", words)),
        "",
        List.of(OutputType.P2WPKH, OutputType.P2PKH, OutputType.P2SH_P2WPKH, OutputType.P2TR),
        0);
  }

  static SyncOptions connect(Bitcoind node) {
    return SyncOptions.connect("127.0.0.1:" + node.p2pPort()).limits(limits -> limits.time(LIMIT));
  }

  /** Restores a wallet and syncs it. */
  static SyncReport restoreAndSync(Path file, WalletRecipe recipe, Bitcoind node) throws Exception {
    try (SpvWallet wallet = SpvWallet.create(file, recipe)) {
      return wallet.sync(connect(node), event -> {});
    }
  }

  /** The active chain of a node, for embedded nodes to serve. */
  static Chain chain(Bitcoind node) {
    int height = node.rpc().call("getblockcount").asInt();
    List<JsonRpc.Call> hashes = new ArrayList<>();
    for (int i = 1; i <= height; i++) {
      hashes.add(JsonRpc.Call.of("getblockhash", i));
    }
    List<JsonRpc.Call> blocks = new ArrayList<>();
    for (JsonNode hash : node.rpc().batch(hashes)) {
      blocks.add(JsonRpc.Call.of("getblock", hash.asText(), 0));
    }
    Chain chain = Chain.ofGenesis();
    for (JsonNode block : node.rpc().batch(blocks)) {
      chain.append(Block.parse(Bytes.ofHex(block.asText())));
    }
    return chain;
  }

  /** Syncs an existing wallet. */
  static SyncReport sync(Path file, Bitcoind node) throws Exception {
    try (SpvWallet wallet = SpvWallet.open(file)) {
      return wallet.sync(connect(node), event -> {});
    }
  }

  /** Compares balances, and every transaction's height and net amount. */
  static void assertSame(String what, Path file, SyncReport report, ExpectedWallet expected)
      throws Exception {
    assertThat(report.complete()).as("%s: %s", what, report).isTrue();
    assertThat(report.height()).as(what).isEqualTo(expected.height());
    assertThat(report.tip().toString()).as(what).isEqualTo(expected.tip());
    assertSameWallet(what, file, expected);
  }

  /** The same for transactions in blocks. */
  static void assertSameConfirmed(
      String what, Path file, SyncReport report, ExpectedWallet expected) throws Exception {
    assertThat(report.complete()).as("%s: %s", what, report).isTrue();
    assertThat(report.height()).as(what).isEqualTo(expected.height());
    try (SpvWallet wallet = SpvWallet.open(file)) {
      TreeMap<String, String> ours = new TreeMap<>();
      for (HistoryEntry entry : wallet.history().list()) {
        if (entry.height().isPresent()) {
          ours.put(entry.txid().toString(), entry.height().getAsInt() + " " + entry.net());
        }
      }
      TreeMap<String, String> theirs = new TreeMap<>();
      for (ExpectedWallet.Transaction tx : expected.transactions()) {
        if (tx.height() != null) {
          theirs.put(tx.txid(), tx.height() + " " + tx.net());
        }
      }
      assertThat(ours).as(what).isEqualTo(theirs);
      assertThat(wallet.balance().immature()).as(what).isEqualTo(expected.immature());
    }
  }

  /** The same, whatever the sync reported. */
  static void assertSameWallet(String what, Path file, ExpectedWallet expected) throws Exception {
    StoredCoins.assertFollow(file);
    try (SpvWallet wallet = SpvWallet.open(file)) {
      TreeMap<String, String> ours = new TreeMap<>();
      for (HistoryEntry entry : wallet.history().list()) {
        String height = entry.height().isPresent() ? "" + entry.height().getAsInt() : "pending";
        ours.put(entry.txid().toString(), height + " " + entry.net());
      }
      TreeMap<String, String> theirs = new TreeMap<>();
      for (ExpectedWallet.Transaction tx : expected.transactions()) {
        theirs.put(tx.txid(), (tx.height() == null ? "pending" : tx.height()) + " " + tx.net());
      }
      TreeMap<String, String> onlyOurs = new TreeMap<>(ours);
      onlyOurs.entrySet().removeAll(theirs.entrySet());
      TreeMap<String, String> onlyTheirs = new TreeMap<>(theirs);
      onlyTheirs.entrySet().removeAll(ours.entrySet());
      assertThat(List.of(onlyOurs, onlyTheirs))
          .as("%s: transactions of Murmur alone, of the node alone", what)
          .allMatch(TreeMap::isEmpty);
      Balance balance = new Balance(wallet.balance());
      assertThat(balance)
          .as("%s: balance", what)
          .isEqualTo(
              new Balance(expected.confirmed(), expected.unconfirmed(), expected.immature()));
      assertThat(balance.total()).as("%s: total", what).isEqualTo(expected.total());
    }
  }

  private record Balance(long confirmed, long unconfirmed, long immature) {
    Balance(org.murmur.wallet.ledger.Balance balance) {
      this(balance.confirmed(), balance.unconfirmed(), balance.immature());
    }

    long total() {
      return confirmed + unconfirmed + immature;
    }
  }
}
