package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.spend.fee.BlockFees;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.JsonRpc;
import org.murmur.wallet.pay.FeeEstimate;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;

/** What blocks paid, against the node's own statistics (getblockstats). */
@Tag("real-node")
@Timeout(300)
final class FeeEstimateRealNodeTest {

  private static final int BLOCKS = 6;

  @TempDir Path folder = Path.of("");

  @Test
  void readsTheFeesThatTheNodeCounts() throws Exception {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    try (Bitcoind node = Bitcoind.start();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), Lives.recipe(OutputType.P2WPKH))) {
      node.rpc().call("createwallet", "theirs");
      JsonRpc theirs = node.rpc().wallet("theirs");
      String[] types = {"legacy", "p2sh-segwit", "bech32", "bech32m"};
      for (String type : types) {
        node.rpc().call("generatetoaddress", 40, theirs.call("getnewaddress", "", type).asText());
      }
      // Beyond the first halving.
      node.mine(100);
      for (int i = 0; i < BLOCKS; i++) {
        int payments = random.nextInt(6);
        for (int j = 0; j < payments; j++) {
          String to = theirs.call("getnewaddress", "", types[random.nextInt(4)]).asText();
          // In hundredths, which is what the node takes.
          double rate = (100 + random.nextInt(3_000)) / 100.0;
          theirs.call("sendtoaddress", to, 1, "", "", false, true, null, "unset", false, rate);
        }
        node.mine(1);
      }
      SyncOptions options =
          SyncOptions.connect("127.0.0.1:" + node.p2pPort())
              .limits(limits -> limits.time(Oracle.LIMIT));
      FeeEstimate estimate =
          wallet.payments().estimateFee(BLOCKS, options, SyncListener.NONE).orElseThrow();
      assertThat(estimate.blocks()).as("seed %d", seed).hasSize(BLOCKS);
      for (BlockFees block : estimate.blocks()) {
        JsonNode stats = node.rpc().call("getblockstats", block.height());
        assertThat(block.fees()).as("seed %d", seed).isEqualTo(stats.get("totalfee").asLong());
        assertThat(block.txWeight()).isEqualTo(stats.get("total_weight").asLong());
        assertThat(block.rate().satPerKvb() / 1_000).isEqualTo(stats.get("avgfeerate").asLong());
        String hash = node.rpc().call("getblockhash", block.height()).asText();
        assertThat(block.weight())
            .isEqualTo(node.rpc().call("getblock", hash).get("weight").asLong());
      }
      long relays = JsonRpc.satoshi(node.rpc().call("getnetworkinfo").get("relayfee"));
      assertThat(estimate.peers().values())
          .singleElement()
          .satisfies(said -> assertThat(said.satPerKvb()).isBetween(relays, relays * 3 / 2));
      assertThat(estimate.rate()).isGreaterThanOrEqualTo(FeeRate.satPerVb(1));
      assertThat(
              wallet.payments().estimateFee(2, options, SyncListener.NONE).orElseThrow().blocks())
          .isEqualTo(estimate.blocks().subList(BLOCKS - 2, BLOCKS));
      assertThat(List.of(estimate.low(), estimate.rate(), estimate.high())).isSorted();
    }
  }
}
