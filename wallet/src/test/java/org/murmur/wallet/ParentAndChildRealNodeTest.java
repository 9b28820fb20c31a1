package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.Address;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.PaymentOrder;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** A payment is evicted from a full memory pool, and a child of it pays for both. */
@Tag("real-node")
@Timeout(300)
final class ParentAndChildRealNodeTest {

  /** A large transaction fills some of the smallest pool that a node may have (5 MB). */
  private static final int OUTPUTS = 2_900;

  private static final int MOST_FILLERS = 120;

  @TempDir Path folder = Path.of("");

  @Test
  void aChildBringsBackAParentThatPaysTooLittle() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    try (Bitcoind node = Bitcoind.setup().arguments("-maxmempool=5").start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      node.rpc().call("createwallet", "theirs");
      JsonRpc theirs = node.rpc().wallet("theirs");
      String back = theirs.call("getnewaddress").asText();
      node.rpc().call("generatetodescriptor", 1, "raw(" + Lives.scripts(recipe, 0, 1).get(0) + ")");
      node.rpc().call("generatetoaddress", 10, back);
      node.mine(125);
      Map<String, Object> coins = new HashMap<>();
      for (int i = 0; i < MOST_FILLERS; i++) {
        coins.put(theirs.call("getnewaddress").asText(), 1);
      }
      theirs.call("sendmany", "", coins);
      node.mine(1);
      SyncOptions options =
          SyncOptions.connect("127.0.0.1:" + node.p2pPort())
              .limits(limits -> limits.mempoolWait(Duration.ZERO).time(Oracle.LIMIT));
      wallet.sync(options, SyncListener.NONE);

      Bytes payee = Address.parse(back, KeyNetwork.REGTEST).scriptPubKey();
      PaymentOrder order =
          PaymentOrder.of(List.of(Payees.of(payee, 1_000_000L)), FeeRate.satPerVb(1));
      Tx parent = send(wallet, order, options);
      fill(node, theirs);
      assertThat(isInPool(node, parent)).isFalse();

      OutPoint change =
          wallet.coins().list().stream().map(coin -> coin.outPoint()).findFirst().orElseThrow();
      assertThat(change.txid()).isEqualTo(parent.txid());
      Bytes own = Lives.scripts(recipe, 0, 3).get(2);
      Tx child =
          send(
              wallet,
              PaymentOrder.of(List.of(Payees.all(own)), FeeRate.satPerVb(200))
                  .spendingOnly(Set.of(change)),
              options);
      assertThat(isInPool(node, child)).isTrue();
      assertThat(isInPool(node, parent)).isTrue();
      node.mine(1);
      assertThat(wallet.sync(options, SyncListener.NONE).complete()).isTrue();
      assertThat(wallet.history().transaction(parent.txid()).orElseThrow().confirmation())
          .isPresent();
    }
  }

  private static Tx send(SpvWallet wallet, PaymentOrder order, SyncOptions options)
      throws Exception {
    Tx tx =
        wallet.payments().sign(wallet.payments().plan(order), Credentials.NONE, SyncListener.NONE);
    BroadcastReport report = wallet.payments().broadcast(tx, options, SyncListener.NONE);
    assertThat(report.isAccepted()).as(report.toString()).isTrue();
    return tx;
  }

  private static boolean isInPool(Bitcoind node, Tx tx) {
    for (JsonNode txid : node.rpc().call("getrawmempool")) {
      if (txid.asText().equals(tx.txid().toString())) {
        return true;
      }
    }
    return false;
  }

  /** Large transactions at rising rates, until the pool is full and has evicted the cheapest. */
  private static void fill(Bitcoind node, JsonRpc theirs) {
    Bytes script = Bytes.ofHex("0014" + "07".repeat(20));
    ByteWriter large = new ByteWriter().int32(2).compactSize(0).compactSize(OUTPUTS);
    for (int i = 0; i < OUTPUTS; i++) {
      large.int64(1_000).varBytes(script);
    }
    String raw = large.int32(0).toBytes().toHex();
    double least = node.rpc().call("getmempoolinfo").get("mempoolminfee").asDouble();
    for (int i = 0; i < MOST_FILLERS; i++) {
      String funded =
          theirs
              .call("fundrawtransaction", raw, Map.of("fee_rate", 5 + i), false)
              .get("hex")
              .asText();
      String signed = theirs.call("signrawtransactionwithwallet", funded).get("hex").asText();
      theirs.call("sendrawtransaction", signed, 0);
      if (node.rpc().call("getmempoolinfo").get("mempoolminfee").asDouble() > 2 * least) {
        return;
      }
    }
    throw new AssertionError("the pool is not full: " + node.rpc().call("getmempoolinfo"));
  }
}
