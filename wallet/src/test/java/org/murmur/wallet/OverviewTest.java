package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.Encryption;
import org.murmur.p2p.sync.TrafficCause;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.overview.CoverageMap;
import org.murmur.wallet.overview.CoverageMap.Band;
import org.murmur.wallet.overview.CoverageMap.Range;
import org.murmur.wallet.overview.PastSync;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** The map of coverage and the cost of syncs, over real connections. */
@Timeout(60)
final class OverviewTest {

  private static final int BLOCKS = 300;

  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(32)
          .blocks(BLOCKS)
          .transactionsPerBlock(4)
          .wallet(Lives.lively(Lives.recipe(OutputType.P2WPKH), 40))
          .build();

  @TempDir Path folder = Path.of("");

  private SpvWallet wallet() {
    return SpvWallet.create(folder.resolve("w"), Lives.recipe(OutputType.P2WPKH));
  }

  private static RegtestNode node() {
    return RegtestNode.start(BUILT.chain().copy());
  }

  private static SyncOptions options(String... nodes) {
    return SyncOptions.connect(nodes).limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  @Test
  void aNewWalletHasNeitherCoverageNorCost() throws Exception {
    try (SpvWallet wallet = wallet()) {
      assertThat(wallet.privacy().coverage()).isEqualTo(CoverageMap.EMPTY);
      assertThat(wallet.privacy().pastSyncs()).isEmpty();
    }
  }

  @Test
  void theMapAgreesWithTheChain() throws Exception {
    try (RegtestNode one = node();
        RegtestNode two = node();
        RegtestNode three = node();
        SpvWallet wallet = wallet()) {
      SyncOptions all =
          options(one.address(), two.address(), three.address()).ifFast(fast -> fast.verify(2));
      wallet.sync(all, event -> {});
      CoverageMap map = wallet.privacy().coverage();
      assertThat(map.to()).isEqualTo(BLOCKS);
      assertThat(map.seen()).isEqualTo(wallet.chain().seen());
      assertThat(map.gaps()).isEmpty();
      assertThat(map.bands()).hasSizeBetween(2, 3);
      assertThat(map.bands().stream().mapToInt(Band::blocks).sum())
          .isGreaterThanOrEqualTo(2 * (BLOCKS + 1 - map.from()));
      assertThat(map.bands()).allMatch(band -> band.whole().stream().allMatch(in(band)));
      assertThat(map.marks().get(0).height()).isEqualTo(map.from());
      assertThat(map.marks().get(map.marks().size() - 1).time())
          .isEqualTo(wallet.chain().tipTime());
    }
  }

  private static Predicate<Range> in(Band band) {
    return whole ->
        band.served().stream().anyMatch(s -> s.from() <= whole.from() && whole.to() <= s.to());
  }

  @Test
  void anOlderFilterIsAPartOfWhatIsWatchedNow() throws Exception {
    try (RegtestNode one = node();
        SpvWallet wallet = wallet()) {
      wallet.sync(options(one.address()).limits(limits -> limits.bytes(40_000)), event -> {});
      CoverageMap map = wallet.privacy().coverage();
      assertThat(map.gaps()).isNotEmpty();
      assertThat(map.gaps().get(0).from()).isEqualTo(wallet.chain().scannedTo().orElseThrow() + 1);
    }
  }

  @Test
  void everyByteOfASyncHasACause() throws Exception {
    try (RegtestNode node = node();
        SpvWallet wallet = wallet()) {
      SyncReport report =
          wallet.sync(
              // The size of an empty block is that of a plain frame.
              options(node.address())
                  .peers(peers -> peers.encryption(Encryption.OFF))
                  .ifFast(fast -> fast.rate(0.02)),
              event -> {});
      assertThat(report.falsePositives()).isPositive();
      List<PastSync> syncs = wallet.privacy().pastSyncs();
      assertThat(syncs).hasSize(1);
      PastSync sync = syncs.get(0);
      assertThat(sync.headers()).isEqualTo(BLOCKS);
      BytesByCause traffic = sync.traffic();
      // What was read after the last block may not be decoded yet.
      assertThat(traffic.received()).isBetween(sync.received() * 9 / 10, sync.received());
      assertThat(traffic.of(TrafficCause.HEADERS).received()).isGreaterThan(81L * BLOCKS);
      assertThat(traffic.of(TrafficCause.BLOCKS).received())
          .isEqualTo((long) BytesByCause.EMPTY_BLOCK_BYTES * report.blocksScanned());
      assertThat(traffic.of(TrafficCause.FALSE_POSITIVES).received())
          .isGreaterThan(84L * report.falsePositives());
      assertThat(traffic.of(TrafficCause.MATCHES).received())
          .isGreaterThan(84L * report.transactions());
      assertThat(traffic.of(TrafficCause.PROOFS).received()).isPositive();
      assertThat(traffic.of(TrafficCause.FILTERS).sent()).isPositive();
      assertThat(traffic.of(TrafficCause.WHOLE_BLOCKS)).isEqualTo(BytesByCause.Part.NONE);
    }
    try (SpvWallet again = SpvWallet.open(folder.resolve("w"))) {
      assertThat(again.privacy().pastSyncs().get(0).traffic().parts()).isNotEmpty();
    }
  }
}
