package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.Checkpoints.Checkpoint;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.internal.sync.HeaderSource;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.RegtestNode.Orphaned;
import org.murmur.regtest.chain.Chain;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.SyncForecast;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;

/**
 * Two wallets of one process, on a chain of 4,500 blocks: the second takes the first two periods,
 * 4,032 headers, from the first.
 */
@Timeout(120)
final class SharedHeadersTest {

  private static final int TIP = 4_500;
  private static final int SEALED = 4_032;

  private static final Chain CHAIN =
      ChainBuilder.ofSeed(11).blocks(TIP).transactionsPerBlock(0).build().chain();

  @TempDir Path folder = Path.of("");

  private final SharedHeaders shared = new SharedHeaders();
  private final Storage sharing = Storage.jdbc().sharing(shared);

  private static RegtestNode node() {
    return RegtestNode.start(CHAIN.copy());
  }

  private static SyncOptions to(RegtestNode node) {
    return SyncOptions.connect(node.address())
        .limits(limits -> limits.mempoolWait(Duration.ZERO).time(Duration.ofSeconds(60)));
  }

  private static WalletRecipe recipe() {
    return Lives.recipe(OutputType.P2WPKH).withBirthday(new Birthday.AtHeight(TIP - 20));
  }

  private SpvWallet wallet(String name, Storage with) {
    return SpvWallet.create(folder.resolve(name), recipe(), with);
  }

  /** The headers that peers sent. */
  private static int fetched(SyncReport report) {
    return report.peers().stream().mapToInt(SyncReport.Participant::headers).sum();
  }

  private static SyncReport sync(SpvWallet wallet, RegtestNode node) throws Exception {
    SyncReport report = wallet.sync(to(node), SyncListener.NONE);
    assertThat(report.complete()).isTrue();
    assertThat(report.height()).isEqualTo(node.height());
    assertThat(report.tip()).isEqualTo(node.tip());
    return report;
  }

  @Test
  void theSecondWalletAsksPeersForTheLastHeadersOnly() throws Exception {
    try (RegtestNode node = node();
        SpvWallet one = wallet("one", sharing);
        SpvWallet two = wallet("two", sharing);
        SpvWallet alone = wallet("alone", Storage.jdbc().sharing(new SharedHeaders()))) {
      SyncReport first = sync(one, node);
      SyncReport second = sync(two, node);
      assertThat(fetched(first)).isEqualTo(TIP);
      assertThat(fetched(second)).isEqualTo(TIP - SEALED);
      assertThat(second.bytesReceived())
          .isLessThan(first.bytesReceived() - SEALED * Headers.HEADER_LENGTH);
      assertThat(two.heightOf(CHAIN.blockAt(100).hash())).hasValue(100);
      assertThat(fetched(sync(alone, node))).as("shares with nobody").isEqualTo(TIP);
    }
    try (RegtestNode node = node();
        SpvWallet two = SpvWallet.open(folder.resolve("two"))) {
      assertThat(fetched(sync(two, node))).as("all is in its own file").isZero();
    }
  }

  /** The wallet that gives need not sync, nor have synced since it was opened. */
  @Test
  void anIdleWalletGives() throws Exception {
    try (RegtestNode node = node()) {
      try (SpvWallet one = wallet("one", sharing)) {
        sync(one, node);
      }
      try (SpvWallet two = wallet("two", sharing)) {
        assertThat(fetched(sync(two, node))).as("the first is closed").isEqualTo(TIP);
      }
      try (SpvWallet one = SpvWallet.open(folder.resolve("one"), sharing);
          SpvWallet three = wallet("three", sharing)) {
        assertThat(one.balance().total()).isZero();
        assertThat(fetched(sync(three, node))).isEqualTo(TIP - SEALED);
      }
    }
  }

  @Test
  void aReorganisationBetweenTheSyncs() throws Exception {
    try (RegtestNode node = node();
        SpvWallet one = wallet("one", sharing);
        SpvWallet two = wallet("two", sharing)) {
      sync(one, node);
      node.reorg(5, 8, Orphaned.FORGOTTEN);
      List<SyncEvent> events = new ArrayList<>();
      SyncReport report = two.sync(to(node), events::add);
      assertThat(report.tip()).isEqualTo(node.tip());
      assertThat(fetched(report)).isEqualTo(TIP + 3 - SEALED);
      assertThat(events).noneMatch(event -> event instanceof WalletEvent.Reorganised);
      sync(one, node);
      assertThat(one.chain().tip()).isEqualTo(two.chain().tip());
    }
  }

  /**
   * So deep that the first wallet gives headers of a branch that has lost. The peer sends the other
   * branch, and what is below it down to the next block of the locator. Those blocks lie twice as
   * deep each time, so this is no more than was lost.
   */
  @Test
  void aReorganisationBelowWhatIsGiven() throws Exception {
    int lost = 600;
    int won = 620;
    int lostOfGiven = SEALED - (TIP - lost);
    try (RegtestNode node = node();
        SpvWallet one = wallet("one", sharing);
        SpvWallet two = wallet("two", sharing)) {
      sync(one, node);
      node.reorg(lost, won, Orphaned.FORGOTTEN);
      assertThat(fetched(sync(two, node))).isBetween(won, won + lostOfGiven);
      sync(one, node);
      assertThat(one.chain().tip()).isEqualTo(two.chain().tip()).isEqualTo(node.tip());
    }
  }

  private static Checkpoints known() {
    BlockHeader header = CHAIN.blockAt(2_015).header();
    ChainBase base =
        new ChainBase(
            2_015,
            header.hash(),
            header.time(),
            header.bits(),
            Target.ofBits(header.bits()).work().times(2_016));
    return Checkpoints.of(
        List.of(
            new Checkpoint(2_015, header.hash()),
            new Checkpoint(SEALED, CHAIN.blockAt(SEALED).hash())),
        base.work(),
        List.of(base));
  }

  /** The first wallet's headers begin at block 2,016, those of the second at genesis. */
  @Test
  void theLaterBirthdayFirst() throws Exception {
    Checkpoints known = known();
    WalletRecipe later = recipe().startingAt(known).withBirthday(new Birthday.AtHeight(2_100));
    try (RegtestNode node = node();
        SpvWallet one = SpvWallet.create(folder.resolve("one"), later, sharing);
        SpvWallet two = wallet("two", sharing)) {
      assertThat(one.chain().base()).isEqualTo(2_015);
      SyncOptions options = to(node).checkpoints(known);
      assertThat(fetched(one.sync(options, SyncListener.NONE))).isEqualTo(TIP - 2_015);
      SyncReport report = two.sync(options, SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.tip()).isEqualTo(node.tip());
      assertThat(fetched(report)).isEqualTo(2_015 + TIP - SEALED);
    }
  }

  @Test
  void theEarlierBirthdayFirst() throws Exception {
    Checkpoints known = known();
    WalletRecipe later = recipe().startingAt(known).withBirthday(new Birthday.AtHeight(2_100));
    try (RegtestNode node = node();
        SpvWallet one = wallet("one", sharing);
        SpvWallet two = SpvWallet.create(folder.resolve("two"), later, sharing)) {
      sync(one, node);
      SyncReport report = two.sync(to(node).checkpoints(known), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(two.chain().base()).isEqualTo(2_015);
      assertThat(fetched(report)).isEqualTo(TIP - SEALED);
    }
  }

  /** Ended as by a kill, before anything was written, it goes on from there. */
  @Test
  void aKillBetween() throws Exception {
    try (RegtestNode node = node();
        SpvWallet one = wallet("one", sharing)) {
      sync(one, node);
      try (SpvWallet two = wallet("two", sharing)) {
        Thread.currentThread().interrupt();
        SyncReport report = two.sync(to(node), SyncListener.NONE);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(report.complete()).isFalse();
      }
      try (SpvWallet two = SpvWallet.open(folder.resolve("two"), sharing)) {
        assertThat(two.chain().height()).isLessThan(TIP);
        assertThat(fetched(sync(two, node))).isEqualTo(TIP - SEALED);
      }
    }
  }

  /** A source that closes a wallet when it is asked first, and has nothing itself. */
  private static Supplier<HeaderSource> closing(SpvWallet wallet, AtomicInteger asked) {
    HeaderSource source =
        new HeaderSource() {
          @Override
          public boolean has(int height) {
            return height <= SEALED;
          }

          @Override
          public Headers after(int height, Hash256 block) {
            try {
              if (asked.incrementAndGet() == 2) {
                wallet.close();
              }
            } catch (WalletException e) {
              throw new IllegalStateException(e);
            }
            return Headers.NONE;
          }
        };
    return () -> source;
  }

  @Test
  void theFirstIsClosedWhileTheSecondTakes() throws Exception {
    try (RegtestNode node = node();
        SpvWallet two = wallet("two", sharing)) {
      try (SpvWallet one = SpvWallet.create(folder.resolve("one"), recipe())) {
        sync(one, node);
      }
      try (SpvWallet giver =
          SpvWallet.open(folder.resolve("one"), Storage.jdbc().sharing(new SharedHeaders()))) {
        AtomicInteger asked = new AtomicInteger();
        shared.join(ChainParams.REGTEST, closing(giver, asked));
        shared.join(ChainParams.REGTEST, giver.offered());
        // The first period is taken, the second comes from peers.
        assertThat(fetched(sync(two, node))).isEqualTo(TIP - 2_016);
        assertThat(asked).hasValue(2);
      }
    }
  }

  /** The first follows new blocks, on its own thread, while the second takes. */
  @Test
  void aWalletThatFollowsGives() throws Exception {
    CountDownLatch complete = new CountDownLatch(1);
    CountDownLatch more = new CountDownLatch(1);
    try (RegtestNode node = node();
        SpvWallet one = wallet("one", sharing);
        SpvWallet two = wallet("two", sharing);
        RunningSync running =
            one.start(
                SyncOptions.connect(node.address())
                    .limits(limits -> limits.mempoolWait(Duration.ZERO))
                    .follow(true),
                Runnable::run,
                event -> count(event, complete, more))) {
      complete.await();
      node.mine(3);
      assertThat(fetched(sync(two, node))).isEqualTo(TIP + 3 - SEALED);
      more.await();
      assertThat(running.isRunning()).isTrue();
    }
  }

  private static void count(@Nullable SyncEvent event, CountDownLatch... latches) {
    if (event instanceof WalletEvent.Complete done) {
      latches[0].countDown();
      if (done.height() == TIP + 3) {
        latches[1].countDown();
      }
    }
  }

  /** Also two signets with other challenges are two networks. */
  @Test
  void walletsOfOtherNetworksGiveNothing() {
    Supplier<HeaderSource> all = upTo(1);
    Supplier<HeaderSource> own = upTo(1);
    ChainParams signet = ChainParams.signet(Bytes.ofHex("51"));
    shared.join(signet, all);
    assertThat(shared.others(signet, own).has(1)).isTrue();
    assertThat(shared.others(signet, all).has(1)).as("its own").isFalse();
    assertThat(shared.others(ChainParams.signet(Bytes.ofHex("52")), own).has(1)).isFalse();
    assertThat(shared.others(ChainParams.MAINNET, own).has(1)).isFalse();
    shared.leave(all);
    assertThat(shared.others(signet, own).has(1)).isFalse();
  }

  @Test
  void aForecastCountsOnlyWhatPeersSend() throws Exception {
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(ChainParams.MAINNET, Lives.WORDS, "", List.of(OutputType.P2WPKH), 0)
            .fromGenesis();
    SyncOptions options = SyncOptions.connect("127.0.0.1");
    Universe universe = Universe.chosen(1e9);
    try (SpvWallet wallet = SpvWallet.create(folder.resolve("main"), recipe, sharing)) {
      SyncForecast alone = wallet.privacy().forecast(options, universe);
      assertThat(alone.headers()).isEqualTo(alone.estimatedHeight());
      shared.join(ChainParams.MAINNET, upTo(SEALED));
      SyncForecast sharing = wallet.privacy().forecast(options, universe);
      assertThat(sharing.headers()).isEqualTo(alone.headers() - SEALED);
      assertThat(sharing.bytesReceived())
          .isLessThan(alone.bytesReceived() - SEALED * Headers.HEADER_LENGTH);
    }
  }

  private static Supplier<HeaderSource> upTo(int end) {
    HeaderSource everything =
        new HeaderSource() {
          @Override
          public boolean has(int height) {
            return height <= end;
          }

          @Override
          public Headers after(int height, Hash256 block) {
            return Headers.NONE;
          }
        };
    return () -> everything;
  }
}
