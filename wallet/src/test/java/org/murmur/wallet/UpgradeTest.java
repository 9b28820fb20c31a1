package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.lies.IndexLags;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.overview.PastSync;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.PresetChoice;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletWarning;

/**
 * A new user among forty strangers, of which four serve filters of blocks, and none, one or two
 * Bloom filters.
 */
@Timeout(300)
final class UpgradeTest {

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH).withLookAhead(200);

  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(35)
          .blocks(200)
          .transactionsPerBlock(4)
          .wallet(Lives.lively(RECIPE, 60))
          .build();

  @TempDir Path folder = Path.of("");

  private final List<SyncEvent> heard = new ArrayList<>();

  private static FakeInternet internet(int bloom, int compact) throws IOException {
    FakeInternet net = new FakeInternet(bloom * 10 + compact);
    net.addCompact(BUILT.chain(), compact);
    net.fill(BUILT.chain(), bloom, List.of());
    net.dns.names.put(FakeInternet.SEED, net.plain.subList(0, 4));
    return net;
  }

  /** A search that gives up soon after the last peer that could serve it. */
  private static SyncOptions briefly(FakeInternet net) {
    return net.options().limits(limits -> limits.search(Duration.ofSeconds(2)));
  }

  private SpvWallet wallet() {
    return SpvWallet.create(folder.resolve("w.sqlite"), RECIPE);
  }

  private List<SyncEvent.Warning> announced() {
    return heard.stream()
        .filter(WalletWarning.BlockFiltersInstead.class::isInstance)
        .map(SyncEvent.Warning.class::cast)
        .toList();
  }

  private static void assertTruth(SpvWallet wallet) {
    long expected = 0;
    for (WalletTruth.Entry entry : BUILT.truth().transactions()) {
      expected += entry.netSat();
    }
    assertThat(wallet.balance().total()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0, COMPACT", "1, FAST", "2, FAST"})
  void aFirstSyncEndsWithTheBalance(int bloom, Preset.Kind used) throws Exception {
    try (FakeInternet net = internet(bloom, 4);
        SpvWallet wallet = wallet()) {
      SyncReport report = wallet.sync(net.options(), heard::add);
      System.out.println(bloom + " with Bloom filters: " + report.elapsed() + ", " + announced());
      assertThat(report.complete()).as(report.toString()).isTrue();
      assertTruth(wallet);
      boolean compact = used == Preset.Kind.COMPACT;
      assertThat(announced()).hasSize(compact ? 1 : 0);
      assertThat(report.warnings()).containsAll(announced());
      assertThat(net.shownFilters().isEmpty()).isEqualTo(compact);
      assertThat(wallet.privacy().preset(net.options()).preset()).isEqualTo(used);
      // The search that gave up fetched headers, and counts.
      List<PastSync> syncs = wallet.privacy().pastSyncs();
      assertThat(syncs).hasSize(compact ? 2 : 1);
      assertThat(syncs.stream().mapToLong(PastSync::received).sum())
          .isLessThanOrEqualTo(report.bytesReceived());
      assertThat(report.seenBy()).isGreaterThanOrEqualTo(compact ? 2 : 1);
    }
  }

  /** Nobody asked for compact, so it holds only once a filter came. */
  @Test
  void anUpgradeWithoutAFilterLeavesNoPreset() throws Exception {
    try (FakeInternet net = new FakeInternet(2);
        SpvWallet wallet = wallet()) {
      Behaviour silent = Behaviour.honest().with(new IndexLags(1_000, Integer.MAX_VALUE));
      net.addCompact(BUILT.chain(), silent);
      net.addCompact(BUILT.chain(), silent);
      net.fill(BUILT.chain(), 0, List.of());
      net.dns.names.put(FakeInternet.SEED, net.plain.subList(0, 4));
      wallet.sync(
          briefly(net),
          event -> {
            heard.add(event);
            if (event instanceof WalletWarning.BlockFiltersInstead) {
              wallet.stop();
            }
          });
      assertThat(announced()).hasSize(1);
      assertThat(wallet.privacy().preset(net.options()).reason())
          .isEqualTo(PresetChoice.Reason.RULE);
    }
  }

  /** Nobody asked for anything else. */
  @Test
  void aPresetThatWasSaidStays() throws Exception {
    try (FakeInternet net = internet(0, 4);
        SpvWallet wallet = wallet()) {
      NoUsablePeerException none =
          catchThrowableOfType(
              NoUsablePeerException.class,
              () -> wallet.sync(briefly(net).preset(Preset.Kind.FAST), heard::add));
      assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_BLOOM);
      assertThat(announced()).isEmpty();
      assertThat(wallet.privacy().report(Universe.chosen(1e9)).served()).isEmpty();
    }
  }

  /** It takes the place of no found peer, and does not stand for them. */
  @ParameterizedTest
  @ValueSource(ints = {4, 0})
  void aNodeIsAskedForItsPoolBesideFoundPeers(int compact) throws Exception {
    try (FakeInternet net = internet(0, compact);
        RegtestNode own = RegtestNode.start(BUILT.chain().copy(), Behaviour.honest());
        SpvWallet wallet = wallet()) {
      SyncOptions options =
          briefly(net)
              .preset(Preset.Kind.COMPACT)
              .pool(Preset.Pool.of(NodeAddress.parse(own.address(), 1)))
              .limits(limits -> limits.mempoolWait(Duration.ofSeconds(1)));
      if (compact == 0) {
        assertThatExceptionOfType(NoUsablePeerException.class)
            .isThrownBy(() -> wallet.sync(options, heard::add))
            .satisfies(none -> assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_FILTERS));
      } else {
        SyncReport report = wallet.sync(options, heard::add);
        assertThat(report.complete()).as(report.toString()).isTrue();
        assertTruth(wallet);
        assertThat(report.seenBy()).isGreaterThanOrEqualTo(2);
        assertThat(own.filtersShown()).isNotEmpty();
      }
      assertThat(net.shownFilters()).isEmpty();
    }
  }

  /** They may have one operator, who could hide a payment. */
  @Test
  void twoOfOneNetworkGroupAreOneVoice() throws Exception {
    try (FakeInternet net = new FakeInternet(5);
        SpvWallet wallet = wallet()) {
      net.addCompact(BUILT.chain(), 1);
      net.addCompactNeighbour(BUILT.chain());
      net.fill(BUILT.chain(), 0, List.of());
      net.dns.names.put(FakeInternet.SEED, net.plain.subList(0, 4));
      SyncReport report =
          wallet.sync(
              briefly(net)
                  // A busy machine takes seconds to find the two.
                  .limits(limits -> limits.search(Duration.ofSeconds(8)))
                  .preset(Preset.Kind.COMPACT),
              heard::add);
      assertThat(report.complete()).as(report.toString()).isFalse();
      assertThat(report.ending()).isEqualTo(SyncReport.Ending.TOO_FEW_PEERS);
      assertThat(report.transactions()).isZero();
    }
  }

  /** One could hide a payment. */
  @Test
  void oneWithFiltersOfBlocksIsNotEnough() throws Exception {
    try (FakeInternet net = internet(0, 1);
        SpvWallet wallet = wallet()) {
      NoUsablePeerException none =
          catchThrowableOfType(
              NoUsablePeerException.class, () -> wallet.sync(briefly(net), heard::add));
      assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_BLOOM);
      assertThat(announced()).isEmpty();
    }
  }
}
