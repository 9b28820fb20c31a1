package org.murmur.testbed.bitcoind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

@Tag("real-node")
class LongChainTest {

  private static final List<Bytes> SCRIPTS =
      List.of(
          OutputScripts.payToWitnessPubKeyHash(filled(20, 1)),
          OutputScripts.payToPubKeyHash(filled(20, 2)),
          OutputScripts.payToTaproot(filled(32, 3)));

  private static final LongChain.Plan PLAN = new LongChain.Plan(7, 40, 25, SCRIPTS, 30);

  private static Bytes filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return Bytes.wrap(bytes);
  }

  @Test
  void theNodeHoldsEveryPaymentAndAllBlocksAreFull() {
    LongChain chain = LongChain.cached(PLAN);
    try (Bitcoind node = chain.setup().start()) {
      JsonRpc rpc = node.rpc();
      JsonNode info = rpc.call("getblockchaininfo");
      assertThat(info.path("blocks").asInt()).isEqualTo(PLAN.height()).isEqualTo(241);
      assertThat(info.path("initialblockdownload").asBoolean()).isFalse();
      for (int height = PLAN.height() - PLAN.blocks() + 1; height <= PLAN.height(); height++) {
        String hash = rpc.call("getblockhash", height).asText();
        assertThat(rpc.call("getblockheader", hash).path("nTx").asInt()).isEqualTo(26);
      }
      assertThat(chain.payments()).hasSize(30);
      for (LongChain.Payment payment : chain.payments()) {
        JsonNode output =
            rpc.call(
                "gettxout",
                payment.outPoint().txid().toDisplay(),
                payment.outPoint().index(),
                false);
        assertThat(JsonRpc.satoshi(output.path("value"))).isEqualTo(payment.value());
        assertThat(output.path("scriptPubKey").path("hex").asText())
            .isEqualTo(payment.script().toHex());
        assertThat(PLAN.height() + 1 - output.path("confirmations").asInt())
            .isEqualTo(payment.height());
      }
      // No other output pays these scripts: the node's own search finds the same sum.
      List<String> descriptors = SCRIPTS.stream().map(s -> "raw(" + s + ")").toList();
      JsonNode found = rpc.call("scantxoutset", "start", descriptors);
      assertThat(found.path("unspents")).hasSize(30);
      assertThat(JsonRpc.satoshi(found.path("total_amount")))
          .isEqualTo(chain.payments().stream().mapToLong(LongChain.Payment::value).sum());
    }
  }

  @Test
  void aPlanIsAChainToTheByteAndACopyKeepsTheOriginal() {
    LongChain chain = LongChain.cached(PLAN);
    String tip;
    try (Bitcoind first = chain.setup().start();
        Bitcoind fresh = Bitcoind.setup().arguments(LongChain.arguments()).start()) {
      tip = first.rpc().call("getbestblockhash").asText();
      first.mine(1);
      assertThat(LongChain.build(fresh, PLAN)).isEqualTo(chain.payments());
      assertThat(fresh.rpc().call("getbestblockhash").asText()).isEqualTo(tip);
    }
    try (Bitcoind second = LongChain.cached(PLAN).setup().start()) {
      assertThat(second.rpc().call("getbestblockhash").asText()).isEqualTo(tip);
    }
  }

  @Test
  void theCallersTransactionsAreMinedWithTheOthers() {
    List<Bytes> keys = IntStream.range(-3, 0).mapToObj(OutputScripts::anyoneCanSpend).toList();
    List<Bytes> locks =
        keys.stream()
            .map(k -> OutputScripts.payToWitnessScriptHash(OutputScripts.sha256(k)))
            .toList();
    LongChain.Plan plan = new LongChain.Plan(8, 10, 10, locks, 6);
    List<Tx> spends = new ArrayList<>();
    LongChain.Supply spender =
        (height, payments) -> {
          if (spends.size() >= payments.size()) {
            return List.of();
          }
          LongChain.Payment next = payments.get(spends.size());
          Bytes key = keys.get(locks.indexOf(next.script()));
          Tx spend =
              new TxBuilder()
                  .spend(next.outPoint(), Bytes.EMPTY, TxBuilder.REPLACEABLE, List.of(key))
                  .pay(next.value(), SCRIPTS.get(0))
                  .build();
          spends.add(spend);
          return List.of(spend);
        };
    try (Bitcoind node = Bitcoind.setup().arguments(LongChain.arguments()).start()) {
      List<LongChain.Payment> payments = LongChain.build(node, plan, spender);
      assertThat(spends).hasSizeGreaterThan(3);
      JsonNode spent =
          node.rpc()
              .call(
                  "gettxout",
                  payments.get(0).outPoint().txid().toDisplay(),
                  payments.get(0).outPoint().index());
      assertThat(spent.isNull()).isTrue();
      assertThat(node.rpc().call("gettxout", spends.get(0).txid().toDisplay(), 0).isNull())
          .isFalse();
    }
  }

  @Test
  void emptyBlocksAreMadeByTheThousand() {
    LongChain.Plan plan = LongChain.Plan.empty(2_000);
    try (Bitcoind node = Bitcoind.setup().arguments(LongChain.arguments()).start()) {
      assertThat(LongChain.build(node, plan)).isEmpty();
      assertThat(node.rpc().call("getblockcount").asInt()).isEqualTo(2_000);
      assertThatThrownBy(() -> LongChain.build(node, plan))
          .hasMessageContaining("has blocks already");
    }
  }

  @Test
  void aRefusedBlockEndsTheBuilding() {
    Tx nothingToSpend =
        new TxBuilder().spend(new OutPoint(Hash256.ZERO, 5)).pay(1_000, SCRIPTS.get(0)).build();
    try (Bitcoind node = Bitcoind.setup().arguments(LongChain.arguments()).start()) {
      LongChain.Plan plan = new LongChain.Plan(9, 2, 1, List.of(), 0);
      assertThatThrownBy(
              () -> LongChain.build(node, plan, (height, payments) -> List.of(nothingToSpend)))
          .isInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("the node refuses a block: bad-txns-inputs-missingorspent");
    }
  }
}
