package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.coins.keys.Descriptor;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered.Answer;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.testbed.bitcoind.RpcException;
import org.murmur.testbed.bitcoind.WalletLife;
import org.murmur.wallet.internal.session.Environment;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * Random lives of a wallet on two real nodes under the private preset. Restored from its words, it
 * must report exactly what the first node's own wallet does, sweeps without change included; of
 * pending transactions, all that pay the wallet.
 */
@Tag("real-node")
class PrivateLivesTest {

  @TempDir Path folder = Path.of("");

  private static final Duration SHORT_WAIT = Duration.ofSeconds(3);

  /** No busy machine delays an answer so long. */
  private static final Duration LONG_WAIT = Duration.ofSeconds(30);

  private static SyncOptions options(Bitcoind a, Bitcoind b, Duration wait) {
    String one = "127.0.0.1:" + a.p2pPort();
    SyncOptions options =
        a == b
            ? SyncOptions.connect(one).ifPrivate(guards -> guards.onePeer(true))
            : SyncOptions.connect(one, "127.0.0.1:" + b.p2pPort());
    return options
        .limits(limits -> limits.time(Oracle.LIMIT).mempoolWait(wait))
        .preset(Preset.Kind.PRIVATE);
  }

  /** Hands the second node the first one's blocks of the active chain, and its mempool. */
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

  /** Syncs so long after the real time that no transaction seen by an earlier one is young. */
  private static SyncReport sync(Path file, Bitcoind a, Bitcoind b, Duration later, Duration wait)
      throws Exception {
    Clock clock = Clock.offset(Clock.systemUTC(), later);
    try (SpvWallet wallet = SpvWallet.open(file, new Environment(clock, new SecureRandom()))) {
      return wallet.sync(options(a, b, wait), event -> {});
    }
  }

  private static ExpectedWallet confirmed(WalletLife life, Bitcoind node) throws Exception {
    life.settle();
    while (!node.rpc().call("getrawmempool").isEmpty()) {
      node.mine(1);
    }
    return life.expected();
  }

  /** The wallet's scripts, more than any life uses. */
  private static Set<String> scripts(WalletRecipe recipe) {
    Set<String> scripts = new HashSet<>();
    for (Descriptor descriptor : recipe.descriptors()) {
      descriptor.derive(0, 600).forEach(script -> scripts.add(script.scriptPubKey().toHex()));
    }
    return scripts;
  }

  private static boolean pays(Set<String> scripts, JsonNode transaction) {
    for (JsonNode output : transaction.get("vout")) {
      if (scripts.contains(output.get("scriptPubKey").get("hex").asText())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Syncs and compares with the first node's wallet. Of pending transactions it must have those
   * that pay the wallet, and no others: one that does not could only match an outpoint, and the
   * other guard may hold those. A sync that calls its knowledge partial may lack some, until one
   * waits longer.
   */
  private static void assertSame(
      String what,
      Path file,
      Set<String> scripts,
      ExpectedWallet expected,
      Bitcoind a,
      Bitcoind b,
      Duration later)
      throws Exception {
    SyncReport report = sync(file, a, b, later, SHORT_WAIT);
    Oracle.assertSameConfirmed(what, file, report, expected);
    Set<String> theirs = new TreeSet<>();
    for (ExpectedWallet.Transaction tx : expected.transactions()) {
      boolean pending = tx.height() == null;
      if (pending && pays(scripts, a.rpc().call("getrawtransaction", tx.txid(), true))) {
        theirs.add(tx.txid() + " " + tx.net());
      }
    }
    if (report.mempool() == Answer.PARTIAL && !pending(file, theirs, b).equals(theirs)) {
      report = sync(file, a, b, later, LONG_WAIT);
    }
    assertThat(pending(file, theirs, b)).as("%s: %s", what, report).isEqualTo(theirs);
  }

  private static Set<String> pending(Path file, Set<String> theirs, Bitcoind b) throws Exception {
    Set<String> ours = new TreeSet<>();
    try (SpvWallet wallet = SpvWallet.open(file)) {
      for (HistoryEntry entry : wallet.history().list()) {
        boolean pays =
            !entry.height().isPresent()
                && !wallet.history().transaction(entry.txid()).orElseThrow().received().isEmpty();
        String line = entry.txid() + " " + entry.net();
        if (pays && (theirs.contains(line) || !holds(b, entry.txid().toString()))) {
          ours.add(line);
        }
      }
    }
    return ours;
  }

  private static boolean holds(Bitcoind node, String txid) {
    try {
      node.rpc().call("getmempoolentry", txid);
      return true;
    } catch (RpcException unknown) {
      return false;
    }
  }

  private void restoreAfter(long seed, int blocks) throws Exception {
    System.out.println("private life with seed " + seed);
    try (Bitcoind a = Bitcoind.start();
        Bitcoind b = Bitcoind.start()) {
      WalletLife life = WalletLife.begin(a, WalletLife.Options.of(seed));
      Path early = folder.resolve("early.sqlite");
      WalletRecipe recipe = Oracle.recipe(life.words());
      Set<String> scripts = scripts(recipe);
      SpvWallet.create(early, recipe).close();
      Duration later = Duration.ZERO;
      for (int round = 1; round <= 3; round++) {
        String what = "seed " + seed + " round " + round + " " + life.happened();
        life.live(blocks / 6);
        ExpectedWallet waiting = life.settle();
        mirror(a, b);
        later = later.plusHours(1);
        assertSame(what, early, scripts, waiting, a, b, later);
        // Some of the pending ones are replaced or dropped now.
        life.live(blocks / 6);
        if (round > 1) {
          life.reorg(3 * round);
        }
        waiting = life.settle();
        mirror(a, b);
        later = later.plusHours(1);
        assertSame(what, early, scripts, waiting, a, b, later);
      }
      ExpectedWallet expected = confirmed(life, a);
      mirror(a, b);
      SyncReport last = sync(early, a, b, later.plusHours(1), SHORT_WAIT);
      Oracle.assertSameConfirmed("seed " + seed + " early", early, last, expected);
      Path late = folder.resolve("late.sqlite");
      SpvWallet.create(late, recipe).close();
      SyncReport report = sync(late, b, a, Duration.ZERO, SHORT_WAIT);
      // The second node may still hold transactions that the first one has dropped.
      Oracle.assertSameConfirmed("seed " + seed + " late", late, report, life.expected());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void reportsTheSameAsTheNodesOwnWallet(long seed) throws Exception {
    restoreAfter(seed, 90);
  }

  /** A single guard holds one filter at a time, and is asked under each of its two. */
  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void aSingleGuardAnnouncesAllPendingTransactions(long seed) throws Exception {
    System.out.println("private life of one guard with seed " + seed);
    try (Bitcoind node = Bitcoind.start()) {
      WalletLife life = WalletLife.begin(node, WalletLife.Options.of(seed));
      Path file = folder.resolve("one.sqlite");
      WalletRecipe recipe = Oracle.recipe(life.words());
      SpvWallet.create(file, recipe).close();
      for (int round = 1; round <= 3; round++) {
        String what = "seed " + seed + " round " + round + " " + life.happened();
        life.live(20);
        ExpectedWallet waiting = life.settle();
        assertSame(what, file, scripts(recipe), waiting, node, node, Duration.ofHours(round));
      }
    }
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
