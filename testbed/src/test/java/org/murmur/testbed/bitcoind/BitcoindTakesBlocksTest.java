package org.murmur.testbed.bitcoind;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.bitcoinj.crypto.ECKey;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.FilterSemanticsContract;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.Wallets;
import org.murmur.regtest.chain.Chain;

/** A real node as a peer of the embedded one: it checks every rule and every signature. */
@Tag("real-node")
class BitcoindTakesBlocksTest {

  private static final int PATIENCE_MILLIS = 120_000;

  private static Bitcoind start() {
    return Bitcoind.setup().arguments("-maxtipage=9999999999").start();
  }

  private static void connect(Bitcoind real, RegtestNode node) {
    real.rpc().call("addnode", node.address(), "onetry", false);
  }

  private static void awaitTip(Bitcoind real, RegtestNode node) {
    JsonNode tip = real.rpc().call("waitforblock", node.tip().toDisplay(), PATIENCE_MILLIS);
    assertThat(tip.path("hash").asText()).isEqualTo(node.tip().toDisplay());
    assertThat(tip.path("height").asInt()).isEqualTo(node.height());
  }

  @ParameterizedTest
  @EnumSource
  void takesBuiltChainsWithEveryKindOfSpend(FilterSemanticsContract.ScriptType type) {
    Function<ECKey, Bytes> script = type::script;
    BuiltChain built =
        ChainBuilder.ofSeed(11)
            .blocks(180)
            .transactionsPerBlock(30)
            .wallet(Wallets.lively(12, script, 80))
            .build();
    try (RegtestNode node = RegtestNode.start(built.chain());
        Bitcoind real = start()) {
      connect(real, node);
      awaitTip(real, node);
    }
  }

  @Test
  void followsNewBlocksAndReorganisations() {
    try (RegtestNode node = RegtestNode.start();
        Bitcoind real = start()) {
      node.mine(5);
      connect(real, node);
      awaitTip(real, node);
      node.mine(1);
      awaitTip(real, node);
      node.reorg(3, 4, RegtestNode.Orphaned.TO_MEMPOOL);
      awaitTip(real, node);
      node.reorg(2, 20, RegtestNode.Orphaned.FORGOTTEN);
      awaitTip(real, node);
    }
  }

  @Test
  void itsWalletIsPaidAndPaysThroughTheEmbeddedNode() throws Exception {
    Chain chain = ChainBuilder.ofSeed(1).blocks(5).endingAt(Instant.now()).build().chain();
    try (RegtestNode node = RegtestNode.start(chain);
        Bitcoind real = start()) {
      real.rpc().call("createwallet", "w");
      String address = real.rpc().call("getnewaddress").asText();
      String script = real.rpc().call("getaddressinfo", address).path("scriptPubKey").asText();
      node.mineTo(Bytes.ofHex(script), 1);
      node.mine(101);
      connect(real, node);
      awaitTip(real, node);
      assertThat(real.rpc().call("getbalance").decimalValue()).isEqualByComparingTo("50");
      CompletableFuture<Tx> arrived = new CompletableFuture<>();
      node.mempool().listen(arrived::complete);
      String txid = real.rpc().call("sendtoaddress", address, 1).asText();
      Tx tx = arrived.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      assertThat(tx.txid()).isEqualTo(Hash256.ofDisplay(txid));
      assertThat(List.copyOf(node.mine(1).get(0).txids())).contains(tx.txid());
      awaitTip(real, node);
      assertThat(real.rpc().call("gettransaction", txid).path("confirmations").asInt())
          .isEqualTo(1);
    }
  }
}
