package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.Omits;
import org.murmur.regtest.node.Behaviour;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.testbed.bitcoind.WalletLife;
import org.murmur.wallet.overview.CoverageMap;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletWarning;

/** Several peers over real connections, one of which omits transactions. */
@Timeout(180)
final class VerifyTest {

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH).withLookAhead(200);

  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(31)
          .blocks(300)
          .transactionsPerBlock(4)
          .wallet(Lives.lively(RECIPE, 80))
          .build();

  @TempDir Path folder = Path.of("");

  /** The omitted transactions. */
  enum Lie {
    PAYMENTS,
    SPENDS,
    EVERY_SEVENTH,
    EVERYTHING,
    ONE;

    boolean leavesOut(WalletTruth.Entry entry) {
      return switch (this) {
        case PAYMENTS -> entry.netSat() > 0;
        case SPENDS -> entry.netSat() < 0;
        case EVERY_SEVENTH -> Math.floorMod(entry.txid().hashCode(), 7) == 0;
        case EVERYTHING -> true;
        case ONE -> entry.txid().equals(BUILT.truth().transactions().get(40).txid());
      };
    }

    Behaviour behaviour(WalletTruth truth) {
      Behaviour behaviour = Behaviour.honest();
      for (WalletTruth.Entry entry : truth.transactions()) {
        if (leavesOut(entry)) {
          behaviour = behaviour.with(new Omits(entry.txid()));
        }
      }
      return behaviour;
    }
  }

  /** Nodes on one chain; closing closes them all. */
  private static final class Nodes implements AutoCloseable {
    final List<RegtestNode> all = new ArrayList<>();

    Nodes add(Behaviour behaviour) {
      all.add(RegtestNode.start(BUILT.chain().copy(), behaviour));
      return this;
    }

    String address(int index) {
      return all.get(index).address();
    }

    SyncOptions options(int witnesses) {
      return SyncOptions.connect(all.stream().map(RegtestNode::address).toArray(String[]::new))
          .limits(limits -> limits.mempoolWait(Duration.ZERO))
          .ifFast(fast -> fast.verify(witnesses));
    }

    @Override
    public void close() {
      all.forEach(RegtestNode::close);
    }
  }

  private static void assertTruth(SpvWallet wallet) {
    Map<String, String> expected = new HashMap<>();
    for (WalletTruth.Entry entry : BUILT.truth().transactions()) {
      expected.put(entry.txid().toString(), entry.height() + " " + entry.netSat());
    }
    Map<String, String> actual = new HashMap<>();
    for (HistoryEntry entry : wallet.history().list()) {
      actual.put(entry.txid().toString(), entry.height().orElse(-1) + " " + entry.net());
    }
    assertThat(actual).isEqualTo(expected);
    assertThat(wallet.balance()).isEqualTo(Lives.balance(BUILT.truth()));
  }

  private static Map<String, Optional<String>> misbehaviour(SyncReport report) {
    Map<String, Optional<String>> found = new HashMap<>();
    report.peers().forEach(peer -> found.put(peer.address().toString(), peer.misbehaviour()));
    return found;
  }

  private static String misbehaviour(SyncReport report, String address) {
    return misbehaviour(report).getOrDefault(address, Optional.empty()).orElse("");
  }

  static Stream<Arguments> casts() {
    List<Arguments> casts = new ArrayList<>();
    for (Lie lie : Lie.values()) {
      for (boolean first : new boolean[] {true, false}) {
        casts.add(Arguments.of(lie, first, 2, 2));
        casts.add(Arguments.of(lie, first, 2, 3));
        casts.add(Arguments.of(lie, first, 3, 4));
      }
    }
    return casts.stream();
  }

  @ParameterizedTest
  @MethodSource("casts")
  void anOmitterIsNamedAndTheTruthIsFound(Lie lie, boolean first, int witnesses, int count)
      throws Exception {
    int place = first ? 0 : count - 1;
    try (Nodes nodes = new Nodes();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      for (int i = 0; i < count; i++) {
        nodes.add(i == place ? lie.behaviour(BUILT.truth()) : Behaviour.honest());
      }
      SyncReport report = wallet.sync(nodes.options(witnesses), SyncListener.NONE);
      assertTruth(wallet);
      boolean named = !misbehaviour(report, nodes.address(place)).isEmpty();
      // With more peers than requested, the liar may not get to lie.
      assertThat(named || count > witnesses).as(report.toString()).isTrue();
      for (WalletTruth.Entry entry : BUILT.truth().transactions()) {
        if (lie.leavesOut(entry)) {
          assertThat(wallet.privacy().why("" + entry.height()).looks())
              .as("height %d, seen by the liar %s", entry.height(), nodes.address(place))
              .noneMatch(look -> look.peer().toString().equals(nodes.address(place)));
        }
      }
      misbehaviour(report)
          .forEach(
              (address, what) -> {
                if (named && address.equals(nodes.address(place))) {
                  assertThat(what.orElse("")).startsWith("OMISSION: left out transaction");
                } else {
                  assertThat(what).as(report.toString()).isEmpty();
                }
              });
      boolean enough = count > witnesses;
      assertThat(report.complete()).isEqualTo(enough);
      assertThat(report.ending())
          .isEqualTo(enough ? SyncReport.Ending.DONE : SyncReport.Ending.TOO_FEW_PEERS);
      int seen = enough ? witnesses : witnesses - 1;
      assertThat(wallet.chain().seenBy()).isEqualTo(seen);
      assertThat(wallet.chain().seen()).allMatch(range -> range.peers() >= seen);
      if (enough) {
        assertThat(report.warnings()).isEmpty();
      } else {
        assertThat(report.warnings())
            .singleElement()
            .isInstanceOfSatisfying(
                WalletWarning.TooFewPeers.class,
                few -> {
                  assertThat(few.wanted()).isEqualTo(witnesses);
                  assertThat(few.seen()).isEqualTo(seen);
                });
      }
      // On disk none of the liar's answers counts any more.
      assertThat(wallet.privacy().why("150").looks())
          .hasSizeGreaterThanOrEqualTo(seen)
          .noneMatch(look -> named && look.peer().toString().equals(nodes.address(place)));
      SyncReport again = wallet.sync(nodes.options(witnesses), SyncListener.NONE);
      assertThat(again.complete()).isEqualTo(enough);
      assertThat(again.blocksScanned()).isZero();
    }
  }

  @Test
  void honestPeersAreBelievedByAsManyAsAsked() throws Exception {
    try (Nodes nodes =
            new Nodes().add(Behaviour.honest()).add(Behaviour.honest()).add(Behaviour.honest());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncReport report = wallet.sync(nodes.options(3), SyncListener.NONE);
      assertThat(report.complete()).as(report.toString()).isTrue();
      assertThat(report.peers()).allMatch(peer -> peer.misbehaviour().isEmpty());
      assertTruth(wallet);
      assertThat(wallet.chain().seen())
          .containsExactly(new CoverageMap.Seen(new CoverageMap.Range(1, 300), 3));
      assertThat(
              wallet
                  .privacy()
                  .why(BUILT.truth().transactions().get(3).txid().toString())
                  .looks()
                  .stream()
                  .filter(Why.Look::holds)
                  .map(Why.Look::peer)
                  .distinct())
          .hasSize(3);
    }
  }

  @Test
  void fewerPeersThanAskedForSaySoAndDoNotHang() throws Exception {
    try (Nodes nodes = new Nodes().add(Behaviour.honest());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncReport report = wallet.sync(nodes.options(2), SyncListener.NONE);
      assertThat(report.complete()).isFalse();
      assertThat(report.ending()).isEqualTo(SyncReport.Ending.TOO_FEW_PEERS);
      assertThat(report.warnings()).hasSize(1);
      assertTruth(wallet);
      assertThat(wallet.chain().seenBy()).isEqualTo(1);
      // A second peer that comes later is asked for everything, and only that peer.
      nodes.add(Behaviour.honest());
      SyncReport second = wallet.sync(nodes.options(2), SyncListener.NONE);
      assertThat(second.complete()).isTrue();
      for (SyncReport.Participant peer : second.peers()) {
        if (peer.address().toString().equals(nodes.address(0))) {
          assertThat(peer.blocks()).isZero();
        } else {
          assertThat(peer.blocks()).isGreaterThanOrEqualTo(300);
        }
      }
      assertThat(wallet.chain().seenBy()).isEqualTo(2);
    }
  }

  @Test
  void aLiarOfAnEarlierSyncIsFoundOutByTheSecond() throws Exception {
    try (Nodes nodes =
            new Nodes().add(Lie.EVERYTHING.behaviour(BUILT.truth())).add(Behaviour.honest());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncReport alone =
          wallet.sync(
              SyncOptions.connect(nodes.address(0))
                  .limits(limits -> limits.mempoolWait(Duration.ZERO)),
              SyncListener.NONE);
      assertThat(alone.complete()).isTrue();
      nodes.add(Behaviour.honest());
      SyncReport report = wallet.sync(nodes.options(2), SyncListener.NONE);
      assertThat(report.complete()).as(report.toString()).isTrue();
      assertTruth(wallet);
    }
  }

  @Test
  void anUnsettledDisagreementEndsTheSync() throws Exception {
    try (Nodes nodes =
            new Nodes()
                .add(Lie.ONE.behaviour(BUILT.truth()).with(Ignores.WHOLE_BLOCKS))
                .add(Behaviour.honest().with(Ignores.WHOLE_BLOCKS));
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncReport report = wallet.sync(nodes.options(2), SyncListener.NONE);
      assertThat(report.complete()).isFalse();
      assertThat(report.ending()).isEqualTo(SyncReport.Ending.PEERS_DISAGREE);
      assertThat(report.warnings().get(0))
          .isInstanceOfSatisfying(
              SyncWarning.PeersDisagree.class,
              warning -> {
                assertThat(warning.txid()).isEqualTo(BUILT.truth().transactions().get(40).txid());
                assertThat(warning.omitter()).hasToString(nodes.address(0));
                assertThat(warning.tellers()).singleElement().hasToString(nodes.address(1));
              });
    }
  }

  @Test
  void aSpotCheckFindsOutTheOnlyPeer() throws Exception {
    try (Nodes nodes = new Nodes().add(Lie.EVERYTHING.behaviour(BUILT.truth()));
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      try {
        SyncReport report =
            wallet.sync(nodes.options(1).ifFast(fast -> fast.spotChecks(300)), SyncListener.NONE);
        assertThat(report.complete()).as(report.toString()).isFalse();
      } catch (NoUsablePeerException e) {
        assertThat(e).hasMessageContaining("left out transaction");
        assertThat(misbehaviour(e.report(), nodes.address(0)))
            .startsWith("OMISSION: left out transaction");
      }
    }
  }

  @Test
  void spotChecksOfAnHonestPeerChangeNothing() throws Exception {
    try (Nodes nodes = new Nodes().add(Behaviour.honest());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncReport report =
          wallet.sync(nodes.options(1).ifFast(fast -> fast.spotChecks(50)), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.warnings()).isEmpty();
      assertTruth(wallet);
      assertThat(
              wallet
                  .sync(nodes.options(1).ifFast(fast -> fast.spotChecks(300)), SyncListener.NONE)
                  .complete())
          .isTrue();
    }
  }

  static Stream<Arguments> witnessed() {
    return Stream.of(Lie.SPENDS, Lie.EVERYTHING, Lie.ONE)
        .flatMap(
            lie ->
                Stream.of(
                    Arguments.of(lie, Preset.Kind.FAST), Arguments.of(lie, Preset.Kind.PRIVATE)));
  }

  private static SyncOptions witnessed(Nodes nodes, Preset.Kind preset) {
    return nodes
        .options(1)
        .preset(preset)
        .ifFast(fast -> fast.filterPeers(1))
        .ifPrivate(usual -> usual.onePeer(true).filterPeers(1));
  }

  /**
   * A filter says which scripts a block touches, and not how often. So the truth is found with a
   * further peer; without one the sync is not complete.
   */
  @ParameterizedTest
  @MethodSource("witnessed")
  void blockFiltersShowWhatTheOnlyPeerLeavesOut(Lie lie, Preset.Kind preset) throws Exception {
    try (Nodes nodes = new Nodes();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      nodes
          .add(lie.behaviour(BUILT.truth()))
          .add(Behaviour.honest().withoutBloom().withCompactFilters());
      SyncReport report = wallet.sync(witnessed(nodes, preset), SyncListener.NONE);
      assertThat(report.ending()).isEqualTo(SyncReport.Ending.TOO_FEW_PEERS);
      assertThat(report.checkedByFilters()).isFalse();
      assertThat(misbehaviour(report, nodes.address(0))).startsWith("OMISSION");
      assertThat(misbehaviour(report, nodes.address(1))).isEmpty();
      if (lie != Lie.SPENDS) {
        assertTruth(wallet);
      }
      if (preset == Preset.Kind.FAST) {
        nodes.add(Behaviour.honest());
        SyncReport whole = wallet.sync(witnessed(nodes, preset), SyncListener.NONE);
        assertThat(whole.complete()).isTrue();
        assertThat(whole.checkedByFilters()).isTrue();
        assertTruth(wallet);
      }
    }
  }

  /** A real node and an embedded one are honest; another embedded one is not. */
  @Test
  @Tag("real-node")
  void aRealNodeIsBelievedAgainstALiar() throws Exception {
    try (Bitcoind real = Bitcoind.start()) {
      WalletLife life = WalletLife.begin(real, WalletLife.Options.of(61));
      life.live(120);
      ExpectedWallet expected = life.settle();
      Chain chain = copyOf(real, expected.height());
      Behaviour lie = Behaviour.honest();
      Map<String, String> truth = new HashMap<>();
      for (ExpectedWallet.Transaction tx : expected.transactions()) {
        if (tx.height() != null) {
          truth.put(tx.txid(), tx.height() + " " + tx.net());
          if (tx.net() < 0) {
            lie = lie.with(new Omits(Hash256.ofDisplay(tx.txid())));
          }
        }
      }
      // So slow that the two honest ones are not done before the liar is asked.
      Behaviour slow = Behaviour.honest().limitedTo(60);
      try (RegtestNode liar = RegtestNode.start(chain.copy(), lie);
          RegtestNode witness = RegtestNode.start(chain.copy(), slow);
          SpvWallet wallet = SpvWallet.create(folder.resolve("w"), Oracle.recipe(life.words()))) {
        SyncReport report =
            wallet.sync(
                SyncOptions.connect(
                        liar.address(), "127.0.0.1:" + real.p2pPort(), witness.address())
                    .limits(limits -> limits.mempoolWait(Duration.ZERO))
                    .ifFast(fast -> fast.verify(2).spotChecks(10)),
                SyncListener.NONE);
        assertThat(report.complete()).as(report.toString()).isTrue();
        assertThat(misbehaviour(report, liar.address())).startsWith("OMISSION");
        assertThat(misbehaviour(report).values().stream().filter(Optional::isPresent)).hasSize(1);
        Map<String, String> ours = new HashMap<>();
        for (HistoryEntry entry : wallet.history().list()) {
          ours.put(entry.txid().toString(), entry.height().orElse(-1) + " " + entry.net());
        }
        assertThat(ours).isEqualTo(truth);
        assertThat(wallet.chain().seenBy()).isEqualTo(2);
      }
    }
  }

  private static Chain copyOf(Bitcoind real, int height) {
    Chain chain = Chain.ofGenesis();
    for (int i = 1; i <= height; i++) {
      String hash = real.rpc().call("getblockhash", i).asText();
      chain.append(Block.parse(Bytes.ofHex(real.rpc().call("getblock", hash, 0).asText())));
    }
    return chain;
  }
}
