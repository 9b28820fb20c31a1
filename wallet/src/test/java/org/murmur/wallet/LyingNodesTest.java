package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.Injects;
import org.murmur.regtest.lies.Omits;
import org.murmur.regtest.lies.StaleTip;
import org.murmur.regtest.lies.StallsAfter;
import org.murmur.regtest.lies.WrongHeader;
import org.murmur.regtest.lies.WrongProofs;
import org.murmur.regtest.node.Behaviour;
import org.murmur.regtest.node.Mempool;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.testbed.bitcoind.WalletLife;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * Random lives seen through several nodes at once, one of which lies: one or two real ones, and
 * embedded ones that serve the real ones' chain. Murmur must report what the real node's own wallet
 * does. The parameter is the seed.
 */
@Tag("real-node")
class LyingNodesTest {

  private static final int EMPTY_BLOCKS = 600;

  @TempDir Path folder = Path.of("");

  private int files;
  private int caught;

  @ParameterizedTest
  @ValueSource(longs = {51})
  void twoNodesOneOfThemLying(long seed) throws Exception {
    twoNodes(seed, 30);
  }

  @ParameterizedTest
  @ValueSource(longs = {52})
  void fourNodesOneOfThemLying(long seed) throws Exception {
    fourNodes(seed, 30);
  }

  static long[] manySeeds() {
    return new Random(21).longs(20, 100, 1_000_000).toArray();
  }

  /** Ten lives with two nodes and ten with four. */
  @Tag("long")
  @ParameterizedTest
  @MethodSource("manySeeds")
  void longLivesAmongLiars(long seed) throws Exception {
    if (seed % 2 == 0) {
      twoNodes(seed, 150);
    } else {
      fourNodes(seed, 150);
    }
  }

  private void twoNodes(long seed, int blocks) throws Exception {
    try (Bitcoind node = Bitcoind.start()) {
      WalletLife life = begin(node, seed, blocks);
      ExpectedWallet expected = life.settle();
      for (Map.Entry<String, Behaviour> lie : lies(seed, expected.height()).entrySet()) {
        try (RegtestNode liar = mirror(node, lie.getValue())) {
          agrees(seed + ", two, " + lie.getKey(), life, expected, 1, liar.address(), at(node));
        }
      }
      // The other one convicts the omitter; then too few peers are left to serve everything twice.
      try (RegtestNode liar = mirror(node, omitting(seed, expected))) {
        standsThere(seed + ", two, omitting", life, expected, liar.address(), at(node));
      }
      agreesWithAFork(seed, node, life, expected);
      assertCaught();
      livesOn(seed, node, life);
    }
  }

  private void fourNodes(long seed, int blocks) throws Exception {
    try (Bitcoind node = Bitcoind.start();
        Bitcoind second = Bitcoind.setup().arguments("-persistmempool=0").start()) {
      second.rpc().call("addnode", at(node), "onetry");
      WalletLife life = begin(node, seed, blocks);
      ExpectedWallet expected = life.settle();
      await(second, expected.tip());
      second.restart();
      for (String hex : pool(node)) {
        second.rpc().call("sendrawtransaction", hex, 0);
      }
      try (RegtestNode honest = mirror(node, Behaviour.honest())) {
        for (Map.Entry<String, Behaviour> lie : lies(seed, expected.height()).entrySet()) {
          try (RegtestNode liar = mirror(node, lie.getValue())) {
            String what = seed + ", four, " + lie.getKey();
            agrees(what, life, expected, 1, liar.address(), at(node), at(second), honest.address());
          }
        }
        try (RegtestNode liar = mirror(node, omitting(seed, expected))) {
          String what = seed + ", four, omitting";
          agrees(what, life, expected, 2, liar.address(), at(node), at(second), honest.address());
        }
        assertCaught();
      }
    }
  }

  private static WalletLife begin(Bitcoind node, long seed, int blocks) {
    System.out.println("life among liars with seed " + seed);
    WalletLife life = WalletLife.begin(node, WalletLife.Options.of(seed));
    life.live(blocks);
    // Enough work for every peer to get a share.
    node.mine(EMPTY_BLOCKS);
    life.live(5);
    return life;
  }

  private static Map<String, Behaviour> lies(long seed, int height) {
    Behaviour honest = Behaviour.honest().withSeed(seed);
    Map<String, Behaviour> lies = new LinkedHashMap<>();
    lies.put("bad proofs", honest.with(new WrongProofs(), 0.2));
    lies.put("injected transactions", honest.with(new Injects(0.2)));
    lies.put("silence", honest.with(new StallsAfter(20)));
    lies.put("hanging up", honest.droppingAfter(60));
    lies.put("a bad header", honest.with(new WrongHeader(height - 10)));
    lies.put("no blocks", honest.with(Ignores.BLOCKS));
    lies.put("no pongs", honest.with(Ignores.PINGS));
    lies.put("a stale tip", honest.with(new StaleTip(height - 15)));
    return lies;
  }

  /**
   * Omits confirmed payments. Pending ones are announced by one peer only, and are not checked
   * until they are confirmed.
   */
  private static Behaviour omitting(long seed, ExpectedWallet expected) {
    Random random = new Random(seed);
    Behaviour omitting = Behaviour.honest().withSeed(seed);
    for (ExpectedWallet.Transaction tx : expected.transactions()) {
      if (tx.height() != null && random.nextInt(3) == 0) {
        omitting = omitting.with(new Omits(Hash256.ofDisplay(tx.txid())));
      }
    }
    return omitting;
  }

  /**
   * A node that serves another chain with less work: what only it has never happened. It may be the
   * one that is asked for pending payments, and it has others; the next sync learns the right ones.
   */
  private void agreesWithAFork(long seed, Bitcoind node, WalletLife life, ExpectedWallet expected)
      throws Exception {
    try (RegtestNode liar = mirror(node, Behaviour.honest())) {
      liar.reorg(6, 4, RegtestNode.Orphaned.FORGOTTEN);
      Path file = fresh();
      SyncReport report = sync(file, life, connect(1, liar.address(), at(node)));
      assertThat(report.tip().toString()).isEqualTo(expected.tip());
      Oracle.assertSame(seed + ", two, a fork", file, Oracle.sync(file, node), expected);
    }
  }

  /** A wallet that is kept while the chain goes on, with a liar among its peers every time. */
  private void livesOn(long seed, Bitcoind node, WalletLife life) throws Exception {
    Path kept = fresh();
    List<Behaviour> lies = new ArrayList<>(lies(seed, life.expected().height()).values());
    Oracle.restoreAndSync(kept, Oracle.recipe(life.words()), node);
    for (int round = 0; round < 4; round++) {
      life.live(4);
      life.reorg(1 + round * 2);
      ExpectedWallet expected = life.settle();
      try (RegtestNode liar = mirror(node, lies.get((int) ((seed + round) % lies.size())))) {
        try (SpvWallet wallet = SpvWallet.open(kept)) {
          SyncReport report = wallet.sync(connect(1, liar.address(), at(node)), event -> {});
          Oracle.assertSame(seed + ", kept, round " + round, kept, report, expected);
        }
      }
    }
  }

  /** Some lies are only slow or incomplete; others are detected. */
  private void assertCaught() {
    System.out.println(caught + " of " + files + " wallets named a peer that misbehaved");
    assertThat(caught).isPositive();
  }

  private Path fresh() {
    return folder.resolve("wallet-" + files++ + ".sqlite");
  }

  private static SyncOptions connect(int witnesses, String... nodes) {
    return SyncOptions.connect(nodes)
        .limits(limits -> limits.time(Oracle.LIMIT))
        .ifFast(fast -> fast.verify(witnesses));
  }

  private SyncReport sync(Path file, WalletLife life, SyncOptions options) throws Exception {
    try (SpvWallet wallet = SpvWallet.create(file, Oracle.recipe(life.words()))) {
      return wallet.sync(options, event -> {});
    }
  }

  private void agrees(
      String what, WalletLife life, ExpectedWallet expected, int witnesses, String... nodes)
      throws Exception {
    Path file = fresh();
    SyncReport report = sync(file, life, connect(witnesses, nodes));
    caught += report.peers().stream().anyMatch(peer -> peer.misbehaviour().isPresent()) ? 1 : 0;
    Oracle.assertSame(what, file, report, expected);
  }

  /** All is right, but fewer peers served it than requested. */
  private void standsThere(String what, WalletLife life, ExpectedWallet expected, String... nodes)
      throws Exception {
    Path file = fresh();
    SyncReport report = sync(file, life, connect(2, nodes));
    assertThat(report.complete()).as("%s: %s", what, report).isFalse();
    assertThat(report.warnings()).as(what).isNotEmpty();
    Oracle.assertSameWallet(what, file, expected);
  }

  // What the embedded nodes serve

  private static RegtestNode mirror(Bitcoind node, Behaviour behaviour) {
    RegtestNode mirror = RegtestNode.start(Oracle.chain(node), behaviour);
    for (String hex : pool(node)) {
      assertThat(mirror.mempool().accept(Tx.parse(Bytes.ofHex(hex))))
          .isNotInstanceOf(Mempool.Refused.class);
    }
    return mirror;
  }

  /** The transactions of a node's memory pool, parents first. */
  private static List<String> pool(Bitcoind node) {
    Map<String, Integer> ancestors = new LinkedHashMap<>();
    node.rpc()
        .call("getrawmempool", true)
        .fields()
        .forEachRemaining(
            tx -> ancestors.put(tx.getKey(), tx.getValue().get("ancestorcount").asInt()));
    return ancestors.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(tx -> node.rpc().call("getrawtransaction", tx.getKey()).asText())
        .toList();
  }

  private static String at(Bitcoind node) {
    return "127.0.0.1:" + node.p2pPort();
  }

  private static void await(Bitcoind node, String tip) {
    JsonNode reached = node.rpc().call("waitforblock", tip, 60_000);
    assertThat(reached.get("hash").asText()).isEqualTo(tip);
  }
}
