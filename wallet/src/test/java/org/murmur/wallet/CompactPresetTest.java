package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.OmitsScripts;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.privacy.BlocksServed;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncForecast;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletWarning;

/** The preset that finds blocks by their filters, as the user of a wallet sees it. */
@Timeout(120)
final class CompactPresetTest {

  private static final Universe MANY = Universe.chosen(1e9);
  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);
  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(84)
          .blocks(200)
          .transactionsPerBlock(3)
          .wallet(Lives.lively(RECIPE, 30))
          .build();

  @TempDir Path folder = Path.of("");

  private final List<RegtestNode> nodes = new ArrayList<>();

  @AfterEach
  void stop() {
    nodes.forEach(RegtestNode::close);
  }

  private RegtestNode node(Behaviour behaviour) {
    RegtestNode node = RegtestNode.start(BUILT.chain().copy(), behaviour);
    nodes.add(node);
    return node;
  }

  private RegtestNode filtering() {
    return node(Behaviour.honest().withoutBloom().withCompactFilters());
  }

  private static SyncOptions to(RegtestNode... nodes) {
    String[] addresses = List.of(nodes).stream().map(RegtestNode::address).toArray(String[]::new);
    return SyncOptions.connect(addresses)
        .limits(limits -> limits.mempoolWait(Duration.ZERO).time(Duration.ofSeconds(60)));
  }

  private static SyncOptions compact(RegtestNode... nodes) {
    return to(nodes).preset(Preset.Kind.COMPACT);
  }

  private SpvWallet wallet() {
    return SpvWallet.create(folder.resolve("w"), RECIPE);
  }

  @Test
  void findsWhatFastFindsAndShowsNoFilter() throws Exception {
    RegtestNode node = filtering();
    try (SpvWallet wallet = wallet();
        SpvWallet other = SpvWallet.create(folder.resolve("o"), RECIPE)) {
      SyncReport report = wallet.sync(compact(node), SyncListener.NONE);
      other.sync(to(node(Behaviour.honest())).preset(Preset.Kind.FAST), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.mempool()).isEqualTo(MempoolAnswered.Answer.BLOCKS_ONLY);
      assertThat(report.transactions()).isPositive();
      assertThat(report.checkedByFilters()).isFalse();
      assertThat(wallet.balance()).isEqualTo(other.balance());
      assertThat(node.filtersShown()).isEmpty();
      assertThat(wallet.privacy().why("100").looks()).isNotEmpty().allMatch(Why.Look::here);
      assertThat(other.privacy().why("100").looks()).isNotEmpty().noneMatch(Why.Look::here);
    }
  }

  /** Nobody else is there who could serve them, so the node serves each one that holds payments. */
  @Test
  void reportsTheBlocksThatAPeerServed() throws Exception {
    RegtestNode node = filtering();
    Set<Hash256> asked = ConcurrentHashMap.newKeySet();
    node.watch(
        new RegtestNode.Onlooker() {
          @Override
          public void received(Message message) {
            if (message instanceof Message.GetData data) {
              data.items().forEach(item -> asked.add(item.hash()));
            }
          }

          @Override
          public void left() {}
        });
    try (SpvWallet wallet = wallet()) {
      assertThat(wallet.privacy().report(MANY).served()).isEmpty();
      wallet.sync(compact(node), SyncListener.NONE);
      PrivacyReport report = wallet.privacy().report(MANY);
      long own =
          wallet.history().newest(1_000).entries().stream()
              .map(entry -> entry.height().orElseThrow())
              .distinct()
              .count();
      assertThat(report.peers()).isEmpty();
      assertThat(report.next().filters()).isEmpty();
      BlocksServed served = report.served().get(0);
      assertThat(report.served()).hasSize(1);
      assertThat(served.peer().toString()).isEqualTo(node.address());
      assertThat(served.own()).isEqualTo(own).isPositive();
      assertThat(served.blocks()).isEqualTo(asked.size()).isGreaterThanOrEqualTo((int) own);
    }
  }

  /** Its filters are enough, so it is not another source of filters that is needed. */
  @Test
  void namesTheBlockThatNobodyServes() throws Exception {
    RegtestNode node = node(Behaviour.honest().withCompactFilters().with(Ignores.WHOLE_BLOCKS));
    try (SpvWallet wallet = wallet()) {
      SyncReport report = wallet.sync(compact(node), SyncListener.NONE);
      assertThat(report.ending()).isEqualTo(SyncReport.Ending.TOO_FEW_PEERS);
      assertThat(report.warnings())
          .contains(new SyncWarning.BlockNotServed(report.chain().scannedTo().orElse(0) + 1))
          .noneMatch(WalletWarning.TooFewPeers.class::isInstance);
    }
  }

  @Test
  void isRememberedAndOnlyAnOptionMakesItFastAfterAWarning() throws Exception {
    RegtestNode node = filtering();
    RegtestNode bloom = node(Behaviour.honest());
    try (SpvWallet wallet = wallet()) {
      wallet.sync(compact(node), SyncListener.NONE);
      PresetChoice choice = wallet.privacy().preset(to(node));
      assertThat(choice.preset()).isEqualTo(Preset.Kind.COMPACT);
      assertThat(choice.reason()).isEqualTo(PresetChoice.Reason.LAST);
      // A node without them does not make it fast.
      assertThatExceptionOfType(NoUsablePeerException.class)
          .isThrownBy(() -> wallet.sync(to(bloom), SyncListener.NONE))
          .satisfies(none -> assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_FILTERS));
      assertThat(bloom.filtersShown()).isEmpty();
      bloom.mine(1);
      List<WalletWarning> warned = new ArrayList<>();
      wallet.sync(
          to(bloom).preset(Preset.Kind.FAST),
          event -> {
            if (event instanceof WalletWarning.WalletExposed exposed) {
              assertThat(bloom.filtersShown()).isEmpty();
              warned.add(exposed);
            }
          });
      assertThat(warned).hasSize(1);
      assertThat(wallet.privacy().preset(to(node)).preset()).isEqualTo(Preset.Kind.FAST);
    }
  }

  private static SyncOptions asking(String pool, RegtestNode... nodes) {
    return compact(nodes)
        .pool(Preset.Pool.of(NodeAddress.parse(pool, NodeAddress.USUAL_PORT)))
        .limits(limits -> limits.mempoolWait(Duration.ofSeconds(5)));
  }

  /** Pays the wallet from a coin of nobody. */
  private static Tx pay(RegtestNode node) {
    OutPoint coin =
        IntStream.range(1, node.height() - 100)
            .mapToObj(height -> node.blockAt(height).tx(0).outPoint(0))
            .filter(each -> node.chain().coin(each) != null)
            .findFirst()
            .orElseThrow();
    Bytes script = Lives.scripts(RECIPE, 0, 3).get(0);
    return new TxBuilder().spend(coin).pay(5_000, script).build();
  }

  /** Its inputs are in the log from then on, and no filter of a later block shows them. */
  @Test
  void aPaymentThatStaysPendingLeavesNothingToScan() throws Exception {
    RegtestNode both = node(Behaviour.honest().withCompactFilters());
    both.broadcast(pay(both));
    try (SpvWallet wallet = wallet()) {
      for (int i = 0; i < 3; i++) {
        SyncReport report = wallet.sync(asking(both.address(), both), SyncListener.NONE);
        assertThat(report.complete()).isTrue();
        assertThat(report.balance().unconfirmed()).isEqualTo(5_000);
        both.mine(List.of());
      }
    }
  }

  @Test
  void oneNodeGetsAFilterAndSaysWhatIsPending() throws Exception {
    RegtestNode own = node(Behaviour.honest());
    RegtestNode other = node(Behaviour.honest().withCompactFilters());
    Tx payment = pay(own);
    own.broadcast(payment);
    try (SpvWallet wallet = wallet()) {
      for (int i = 0; i < 2; i++) {
        SyncReport report = wallet.sync(asking(own.address(), other), SyncListener.NONE);
        assertThat(report.complete()).isTrue();
        assertThat(report.mempool()).isEqualTo(MempoolAnswered.Answer.COMPLETE);
        assertThat(report.warnings()).isEmpty();
        assertThat(report.balance().unconfirmed()).isEqualTo(5_000);
      }
      assertThat(other.filtersShown()).isEmpty();
      assertThat(wallet.privacy().report(MANY).peers())
          .singleElement()
          .satisfies(knows -> assertThat(knows.peers()).extracting("port").contains(own.port()));
      // It is asked for no longer than the option is given.
      assertThat(wallet.sync(compact(other), SyncListener.NONE).mempool())
          .isEqualTo(MempoolAnswered.Answer.BLOCKS_ONLY);
      assertThat(wallet.balance().unconfirmed()).isEqualTo(5_000);
    }
  }

  @Test
  void aNodeThatSaysNothingIsNamedAndTheBlocksAreRead() throws Exception {
    RegtestNode other = filtering();
    for (RegtestNode own : List.of(node(Behaviour.honest().withoutBloom()), other)) {
      try (SpvWallet wallet = SpvWallet.create(folder.resolve("w" + own.port()), RECIPE)) {
        SyncReport report = wallet.sync(asking(own.address(), other), SyncListener.NONE);
        assertThat(report.complete()).isTrue();
        assertThat(report.mempool()).isEqualTo(MempoolAnswered.Answer.PARTIAL);
        assertThat(report.warnings())
            .singleElement()
            .satisfies(
                warning ->
                    assertThat(warning.text())
                        .startsWith(own.address() + " does not say")
                        .contains("no NODE_BLOOM", "peerbloomfilters=1"));
      }
    }
  }

  /** Nothing is sent before: nobody is at this address. */
  @Test
  void aNodeElsewhereIsWarnedOfFirst() throws Exception {
    List<SyncEvent> heard = new ArrayList<>();
    String stranger = "192.0.2.1:1";
    try (SpvWallet wallet = wallet()) {
      RegtestNode node = filtering();
      SyncForecast forecast = wallet.privacy().forecast(asking(stranger, node), MANY);
      assertThat(forecast.next().filters())
          .singleElement()
          .satisfies(next -> assertThat(next.to()).hasToString("[" + stranger + "]"));
      assertThat(forecast.warnings()).contains(shown(stranger));
      SyncOptions soon = asking(stranger, node).limits(l -> l.mempoolWait(Duration.ofMillis(1)));
      wallet.sync(soon, heard::add);
      assertThat(heard.get(0)).isEqualTo(shown(stranger));
      heard.clear();
      wallet.sync(soon.headersOnly(true), heard::add);
      assertThat(heard).doesNotContain(shown(stranger));
    }
  }

  private static WalletWarning shown(String address) {
    return new WalletWarning.ShownToPoolNode(NodeAddress.parse(address, 1));
  }

  /** It would hold, and each later sync would fail. */
  @Test
  void oneThatFindsNoSuchPeerChangesNothing() throws Exception {
    RegtestNode bloom = node(Behaviour.honest());
    try (SpvWallet wallet = wallet()) {
      wallet.sync(to(bloom), SyncListener.NONE);
      assertThatExceptionOfType(NoUsablePeerException.class)
          .isThrownBy(() -> wallet.sync(compact(bloom), SyncListener.NONE));
      assertThat(wallet.privacy().preset(to(bloom)).preset()).isEqualTo(Preset.Kind.FAST);
    }
  }

  /** A filter of an earlier session is none of this one. */
  @Test
  void fastCountsOnceAPeerGotAFilterOfThatSession() throws Exception {
    RegtestNode both = node(Behaviour.honest().withCompactFilters());
    try (SpvWallet wallet = wallet()) {
      wallet.sync(to(both).preset(Preset.Kind.FAST), SyncListener.NONE);
      wallet.sync(compact(both), SyncListener.NONE);
      SyncOptions nobody = SyncOptions.connect("127.0.0.1:1").preset(Preset.Kind.FAST);
      assertThatExceptionOfType(NoUsablePeerException.class)
          .isThrownBy(() -> wallet.sync(nobody, SyncListener.NONE));
      assertThat(wallet.privacy().preset(to(both)).preset()).isEqualTo(Preset.Kind.COMPACT);
    }
  }

  /** The node of the first session hid the wallet's scripts, and nobody was there to say so. */
  @Test
  void theNextHonestNodeShowsWhatALiarHid() throws Exception {
    Set<Bytes> all = new HashSet<>();
    for (int height = 0; height <= BUILT.chain().height(); height++) {
      for (Tx tx : BUILT.chain().blockAt(height).transactions()) {
        tx.outputs().forEach(output -> all.add(output.script()));
      }
    }
    Behaviour hiding = Behaviour.honest().withCompactFilters().with(new OmitsScripts(all));
    try (SpvWallet wallet = wallet()) {
      SyncReport first = wallet.sync(compact(node(hiding)), SyncListener.NONE);
      assertThat(first.complete()).isTrue();
      assertThat(wallet.balance().total()).isZero();
      SyncReport second = wallet.sync(compact(filtering()), SyncListener.NONE);
      assertThat(second.complete()).isTrue();
      assertThat(second.blocksScanned()).isPositive();
      assertThat(second.warnings()).hasAtLeastOneElementOfType(SyncWarning.FiltersDenied.class);
      SyncReport third = wallet.sync(compact(filtering()), SyncListener.NONE);
      assertThat(third.complete()).isTrue();
      assertThat(third.blocksScanned()).isZero();
    }
    try (SpvWallet wallet = SpvWallet.open(folder.resolve("w"));
        SpvWallet other = SpvWallet.create(folder.resolve("o"), RECIPE)) {
      other.sync(compact(filtering()), SyncListener.NONE);
      assertThat(wallet.balance()).isEqualTo(other.balance());
      assertThat(wallet.balance().total()).isPositive();
    }
  }

  @Test
  void aNodeThatHasNoBloomFiltersIsToldFromOneThatHasNeither() {
    try (SpvWallet wallet = wallet()) {
      RegtestNode node = filtering();
      assertThatExceptionOfType(NoUsablePeerException.class)
          .isThrownBy(() -> wallet.sync(to(node), SyncListener.NONE))
          .satisfies(none -> assertThat(none.obstacles()).containsValue(Obstacle.ONLY_FILTERS))
          .satisfies(none -> assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_BLOOM));
    }
  }

  @Test
  void threeForecastsCompareThePresets() {
    try (SpvWallet wallet = wallet()) {
      List<SyncForecast> all = wallet.privacy().forecasts(to(filtering(), filtering()), MANY);
      assertThat(all)
          .extracting(each -> each.preset().preset())
          .containsExactly(Preset.Kind.values());
      assertThat(all.get(0).next().filters()).allMatch(filter -> filter.role() == null);
      assertThat(all.get(1).next().filters()).allMatch(filter -> filter.role() != null);
      assertThat(all.get(2).next().filters()).isEmpty();
      // Of named peers one is enough.
      assertThat(all.get(2).preset().leastPeers()).isEqualTo(1);
    }
  }

  @Test
  void optionsOfFastLeavePrivateOut() {
    try (SpvWallet wallet = wallet()) {
      SyncOptions verified = to(filtering(), filtering()).ifFast(fast -> fast.verify(2));
      assertThat(wallet.privacy().forecasts(verified, MANY))
          .extracting(each -> each.preset().preset())
          .containsExactly(Preset.Kind.FAST, Preset.Kind.COMPACT);
      assertThat(wallet.privacy().forecasts(verified, MANY).get(1).preset().leastPeers())
          .isEqualTo(2);
    }
  }
}
