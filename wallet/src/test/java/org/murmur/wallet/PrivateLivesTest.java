package org.murmur.wallet;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.regtest.bitcoind.Bitcoind;
import org.murmur.regtest.bitcoind.ExpectedWallet;
import org.murmur.regtest.bitcoind.RpcException;
import org.murmur.regtest.bitcoind.WalletLife;

/**
 * Random lives of a wallet on two real nodes under the private preset: restored from its words, it
 * must report exactly what the first node's own wallet does, sweeps without change included.
 */
@Tag("real-node")
class PrivateLivesTest {

  @TempDir Path folder = Path.of("");

  private static SyncOptions options(Bitcoind a, Bitcoind b) {
    return SyncOptions.connect("127.0.0.1:" + a.p2pPort(), "127.0.0.1:" + b.p2pPort())
        .timeout(Oracle.LIMIT)
        .mempoolWait(Duration.ofSeconds(3))
        .privately(GuardOptions.USUAL);
  }

  /** Hands the second node what the first one has: blocks of the active chain, and the mempool. */
  private static void mirror(Bitcoind from, Bitcoind to) {
    List<String> blocks = new ArrayList<>();
    int height = from.rpc().call("getblockcount").asInt();
    int known = to.rpc().call("getblockcount").asInt();
    while (height > known || !hashAt(from, height).equals(hashAt(to, height))) {
      blocks.add(from.rpc().call("getblock", hashAt(from, height), 0).asText());
      height--;
    }
    Collections.reverse(blocks);
    blocks.forEach(block -> to.rpc().call("submitblock", block));
    boolean more = true;
    while (more) {
      more = false;
      for (JsonNode txid : from.rpc().call("getrawmempool")) {
        String raw = from.rpc().call("getrawtransaction", txid.asText()).asText();
        try {
          to.rpc().call("getmempoolentry", txid.asText());
        } catch (RpcException unknown) {
          more |= sends(to, raw);
        }
      }
    }
  }

  private static String hashAt(Bitcoind node, int height) {
    return node.rpc().call("getblockhash", height).asText();
  }

  private static boolean sends(Bitcoind to, String raw) {
    try {
      to.rpc().call("sendrawtransaction", raw);
      return true;
    } catch (RpcException refused) {
      // A parent that comes later in the list, say.
      return false;
    }
  }

  private static SyncReport sync(Path file, Bitcoind a, Bitcoind b) throws Exception {
    try (SpvWallet wallet = SpvWallet.open(file)) {
      return wallet.sync(options(a, b), event -> {});
    }
  }

  /**
   * Everything in a block: what is pending, and what of it was dropped or swept on, is not asked
   * for by name under this preset, so it is known when it confirms and not before.
   */
  private static ExpectedWallet confirmed(WalletLife life, Bitcoind node) throws Exception {
    life.settle();
    while (!node.rpc().call("getrawmempool").isEmpty()) {
      node.mine(1);
    }
    return life.expected();
  }

  private void restoreAfter(long seed, int blocks) throws Exception {
    System.out.println("private life with seed " + seed);
    try (Bitcoind a = Bitcoind.start();
        Bitcoind b = Bitcoind.start()) {
      WalletLife life = WalletLife.begin(a, WalletLife.Options.of(seed));
      Path early = folder.resolve("early.sqlite");
      SpvWallet.create(early, Oracle.recipe(life.words())).close();
      for (int round = 1; round <= 3; round++) {
        life.live(blocks / 3);
        if (round > 1) {
          life.reorg(3 * round);
        }
        ExpectedWallet expected = confirmed(life, a);
        mirror(a, b);
        SyncReport report = sync(early, a, b);
        Oracle.assertSameConfirmed(
            "seed " + seed + " round " + round + " " + life.happened(), early, report, expected);
      }
      Path late = folder.resolve("late.sqlite");
      SpvWallet.create(late, Oracle.recipe(life.words())).close();
      SyncReport report = sync(late, b, a);
      // The second node may still hold what the first one has dropped.
      Oracle.assertSameConfirmed("seed " + seed + " late", late, report, life.expected());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void reportsWhatTheNodesOwnWalletReports(long seed) throws Exception {
    restoreAfter(seed, 90);
  }

  static long[] manySeeds() {
    return new Random(21).longs(20, 100, 1_000_000).toArray();
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("manySeeds")
  void reportsTheSameAfterLongLives(long seed) throws Exception {
    restoreAfter(seed, 300);
  }
}
