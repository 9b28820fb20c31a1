package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.Checkpoints;
import org.murmur.p2p.chain.Checkpoints.Checkpoint;
import org.murmur.p2p.chain.Target;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.overview.ChainState;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncForecast;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletEvent.Payment.Change;
import org.murmur.wallet.sync.WalletWarning;

/**
 * Wallets whose headers begin at a block below their birthday, on a chain of 4,500 blocks with
 * known ones at 2,016 and 4,032; and a return to an earlier one.
 */
@Timeout(180)
final class BirthdayStartTest {

  private static final int TIP = 4_500;
  private static final int LATE = 4_031;

  /** A wallet with payments from block 2,250 on. */
  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);

  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(5)
          .blocks(TIP)
          .transactionsPerBlock(1)
          .wallet(Lives.lively(RECIPE, 120).startingAfter(0.5))
          .build();

  private static final Checkpoints KNOWN = known(BUILT.chain(), 2_015, LATE);

  @TempDir Path folder = Path.of("");

  private static Checkpoints known(Chain chain, int... heights) {
    List<Checkpoint> blocks = new ArrayList<>();
    List<ChainBase> bases = new ArrayList<>();
    for (int height : heights) {
      BlockHeader header = chain.blockAt(height).header();
      blocks.add(new Checkpoint(height, header.hash()));
      bases.add(
          new ChainBase(height, header.hash(), header.time(), header.bits(), work(header, height)));
    }
    return Checkpoints.of(blocks, bases.get(bases.size() - 1).work(), bases);
  }

  private static ChainWork work(BlockHeader header, int height) {
    return Target.ofBits(header.bits()).work().times(height + 1);
  }

  private static SyncOptions to(RegtestNode... nodes) {
    return SyncOptions.connect(
            List.of(nodes).stream().map(RegtestNode::address).toArray(String[]::new))
        .limits(limits -> limits.mempoolWait(Duration.ofSeconds(2)).time(Duration.ofSeconds(100)))
        .checkpoints(KNOWN);
  }

  private Path file() {
    return folder.resolve("w");
  }

  private SpvWallet create(Birthday birthday) {
    return SpvWallet.create(file(), RECIPE.startingAt(KNOWN).withBirthday(birthday));
  }

  private int format() throws Exception {
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = db.createStatement();
        ResultSet r = s.executeQuery("PRAGMA user_version")) {
      return r.getInt(1);
    }
  }

  private static RegtestNode node() {
    return RegtestNode.start(BUILT.chain().copy());
  }

  /** A wallet with headers from genesis and the same birthday knows the same. */
  @Test
  void knowsTheSameAsAWalletWithAllHeaders() throws Exception {
    Birthday birthday = new Birthday.AtHeight(4_100);
    Path other = folder.resolve("all");
    try (RegtestNode node = node();
        SpvWallet all = SpvWallet.create(other, RECIPE.fromGenesis().withBirthday(birthday));
        SpvWallet wallet = create(birthday)) {
      assertThat(wallet.chain().base()).isEqualTo(LATE);
      assertThat(wallet.chain().height()).isEqualTo(LATE);
      assertThat(wallet.chain().complete()).isFalse();
      SyncReport report = wallet.sync(to(node), SyncListener.NONE);
      SyncReport whole = all.sync(to(node), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.height()).isEqualTo(TIP).isEqualTo(wallet.chain().height());
      assertThat(fetched(report)).isEqualTo(TIP - LATE);
      assertThat(fetched(whole)).isEqualTo(TIP);
      assertThat(report.bytesReceived()).isLessThan(whole.bytesReceived() - 300_000);
      assertSame(wallet, all);
      assertThat(format()).isEqualTo(11);
      node.mine(2);
      node.reorg(20, 22, RegtestNode.Orphaned.TO_MEMPOOL);
      assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
      all.sync(to(node), SyncListener.NONE);
      assertSame(wallet, all);
    }
    try (RegtestNode node = node();
        SpvWallet again = SpvWallet.open(file())) {
      assertThat(again.chain().base()).isEqualTo(LATE);
      assertThat(again.chain().complete()).isTrue();
      assertThat(again.heightOf(node.blockAt(LATE).hash())).hasValue(LATE);
      assertThat(again.heightOf(node.blockAt(LATE + 1).hash())).hasValue(LATE + 1);
      assertThat(again.heightOf(node.blockAt(LATE - 1).hash())).isEmpty();
    }
  }

  private static int fetched(SyncReport report) {
    return report.peers().stream().mapToInt(SyncReport.Participant::headers).sum();
  }

  private static void assertSame(SpvWallet wallet, SpvWallet all) {
    assertThat(wallet.history().list()).isNotEmpty().isEqualTo(all.history().list());
    assertThat(wallet.balance()).isEqualTo(all.balance());
    assertThat(wallet.coins().list()).isEqualTo(all.coins().list());
    ChainState mine = wallet.chain();
    ChainState other = all.chain();
    assertThat(mine.complete()).isTrue();
    assertThat(mine.tip()).isEqualTo(other.tip());
    assertThat(mine.scannedTo()).isEqualTo(other.scannedTo());
    assertThat(mine.seen()).isEqualTo(other.seen());
  }

  /** Two guards, whose scans begin on a grid that begins with the base here. */
  @Test
  void underThePrivatePresetToo() throws Exception {
    Birthday birthday = new Birthday.AtHeight(LATE + 1);
    try (RegtestNode a = node();
        RegtestNode b = node();
        SpvWallet wallet = create(birthday)) {
      SyncOptions options = to(a, b).preset(Preset.Kind.PRIVATE);
      SyncReport report = wallet.sync(options, SyncListener.NONE);
      assertThat(report.warnings()).isEmpty();
      assertThat(report.complete()).isTrue();
      assertThat(wallet.chain().base()).isEqualTo(LATE);
      Path other = folder.resolve("all");
      try (SpvWallet all = SpvWallet.create(other, RECIPE.fromGenesis().withBirthday(birthday))) {
        assertThat(all.sync(to(a), SyncListener.NONE).complete()).isTrue();
        assertThat(wallet.history().list()).isNotEmpty().isEqualTo(all.history().list());
        assertThat(wallet.balance()).isEqualTo(all.balance());
      }
    }
  }

  @Test
  void aDateTakesABlockADayBeforeIt() throws Exception {
    long time = BUILT.chain().blockAt(LATE).time();
    try (SpvWallet wallet = create(new Birthday.AtTime(Instant.ofEpochSecond(time + 86_399)))) {
      assertThat(wallet.chain().base()).isEqualTo(2_015);
    }
    Path other = folder.resolve("later");
    Birthday later = new Birthday.AtTime(Instant.ofEpochSecond(time + 90_000));
    try (RegtestNode node = node();
        SpvWallet wallet = SpvWallet.create(other, RECIPE.startingAt(KNOWN).withBirthday(later))) {
      assertThat(wallet.chain().base()).isEqualTo(LATE);
      assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
      // Ten minutes a block, and two hours of margin.
      assertThat(wallet.info().birthdayHeight().orElseThrow()).isBetween(4_160, 4_185);
    }
  }

  /** Restored with too late a birthday, then rescanned from before the first payment. */
  @Test
  void aRescanFromBelowTheFirstHeaderFindsEverythingAndLosesNothing() throws Exception {
    try (RegtestNode node = node();
        SpvWallet wallet = create(new Birthday.AtHeight(4_100))) {
      wallet.sync(to(node), SyncListener.NONE);
      final int few = wallet.history().list().size();
      ReceiveAddress given = wallet.receive().fresh();
      List<Integer> shown = new ArrayList<>();
      wallet.privacy().peerBook().met().forEach(peer -> shown.add(peer.filtersShown()));
      SyncReport report = wallet.rescan(new Birthday.AtHeight(2_200), to(node), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(fetched(report)).isEqualTo(TIP - 2_015);
      assertThat(wallet.chain().base()).isEqualTo(2_015);
      Lives.assertTruth(wallet, node, RECIPE);
      assertThat(wallet.history().list()).hasSizeGreaterThan(few);
      assertThat(wallet.info().birthday()).isEqualTo(new Birthday.AtHeight(2_200));
      assertThat(wallet.receive().fresh().index()).isGreaterThan(given.index());
      for (int i = 0; i < shown.size(); i++) {
        assertThat(wallet.privacy().peerBook().met().get(i).filtersShown())
            .isGreaterThan(shown.get(i));
      }
      // And from the very beginning: the same, with all headers.
      report = wallet.rescan(new Birthday.AtHeight(0), to(node), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(wallet.chain().base()).isZero();
      Lives.assertTruth(wallet, node, RECIPE);
      // A rescan above the first header leaves the headers alone.
      report = wallet.rescan(new Birthday.AtHeight(4_300), to(node), SyncListener.NONE);
      assertThat(fetched(report)).isZero();
      Lives.assertTruth(wallet, node, RECIPE);
    }
  }

  /** A date a little after the birthday begins with an earlier block: a day before the date. */
  @Test
  void aRescanFromALaterDateForgetsNothing() throws Exception {
    Birthday birthday = new Birthday.AtHeight(LATE + 10);
    long time = BUILT.chain().blockAt(LATE).time();
    try (RegtestNode node = node();
        SpvWallet wallet = create(birthday)) {
      wallet.sync(to(node), SyncListener.NONE);
      List<HistoryEntry> known = wallet.history().list();
      Birthday date = new Birthday.AtTime(Instant.ofEpochSecond(time + 86_000));
      SyncReport report = wallet.rescan(date, to(node), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(wallet.chain().base()).isEqualTo(2_015);
      assertThat(wallet.info().birthday()).isEqualTo(birthday);
      assertThat(wallet.chain().seen().get(0).range().from()).isEqualTo(LATE + 10);
      assertThat(wallet.history().list()).isNotEmpty().isEqualTo(known);
    }
  }

  /**
   * No peer is there after the headers were dropped: known transactions are pending, and the next
   * sync ends that.
   */
  @Test
  void anInterruptedReturnLosesNothing() throws Exception {
    int dead;
    try (RegtestNode gone = node()) {
      dead = gone.port();
    }
    try (RegtestNode node = node();
        SpvWallet wallet = create(new Birthday.AtHeight(4_100))) {
      wallet.sync(to(node), SyncListener.NONE);
      List<HistoryEntry> known = wallet.history().list();
      Map<Hash256, TxStatus> copy = new HashMap<>();
      known.forEach(entry -> copy.put(entry.txid(), entry.status()));
      SyncListener copying =
          event -> {
            if (event instanceof WalletEvent.Payment unconfirmed
                && unconfirmed.change() == Change.UNCONFIRMED) {
              copy.put(unconfirmed.entry().txid(), unconfirmed.entry().status());
            } else if (event instanceof WalletEvent.Payment lost && lost.change() == Change.GONE) {
              copy.put(lost.entry().txid(), lost.entry().status());
            }
          };
      long total = wallet.balance().total();
      SyncOptions nobody =
          SyncOptions.connect("127.0.0.1:" + dead)
              .checkpoints(KNOWN)
              .limits(limits -> limits.mempoolWait(Duration.ZERO));
      assertThat(
              catchThrowableOfType(
                  NoUsablePeerException.class,
                  () -> wallet.rescan(new Birthday.AtHeight(2_200), nobody, copying)))
          .isNotNull();
      assertThat(wallet.history().full().list())
          .isNotEmpty()
          .allSatisfy(entry -> assertThat(copy).containsEntry(entry.txid(), entry.status()));
      assertThat(wallet.chain().base()).isEqualTo(2_015);
      assertThat(wallet.chain().height()).isEqualTo(2_015);
      assertThat(wallet.chain().complete()).isFalse();
      assertThat(wallet.history().full().list()).hasSameSizeAs(known);
      assertThat(wallet.balance().confirmed()).isZero();
      assertThat(wallet.balance().unconfirmed()).isLessThanOrEqualTo(total).isPositive();
      // The requested rescan is remembered: an ordinary sync does it.
      assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
      Lives.assertTruth(wallet, node, RECIPE);
    }
  }

  @Test
  void fromGenesisOnDemand() throws Exception {
    try (RegtestNode node = node();
        SpvWallet wallet = create(new Birthday.AtHeight(4_100))) {
      wallet.sync(to(node), SyncListener.NONE);
      List<HistoryEntry> known = wallet.history().list();
      Universe universe = Universe.of(ChainParams.REGTEST);
      SyncForecast usual = wallet.privacy().forecast(to(node), universe);
      assertThat(usual.headers()).isZero();
      assertThat(usual.blocks()).isZero();
      SyncForecast forecast = wallet.privacy().forecast(to(node).fromGenesis(true), universe);
      assertThat(forecast.headers()).isEqualTo(TIP);
      assertThat(forecast.blocks()).isEqualTo(401);
      assertThat(wallet.chain().base()).as("nothing was done").isEqualTo(LATE);
      SyncReport report = wallet.sync(to(node).fromGenesis(true), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(fetched(report)).isEqualTo(TIP);
      assertThat(wallet.chain().base()).isZero();
      assertThat(wallet.info().birthday()).isEqualTo(new Birthday.AtHeight(4_100));
      assertThat(wallet.history().list()).isEqualTo(known);
      assertThat(report.blocksScanned()).as("no block before the birthday").isEqualTo(401);
      assertThat(fetched(wallet.sync(to(node).fromGenesis(true), SyncListener.NONE))).isZero();
    }
    Path other = folder.resolve("other");
    try (SpvWallet all =
        SpvWallet.create(
            other,
            RECIPE.startingAt(KNOWN).fromGenesis().withBirthday(new Birthday.AtHeight(4_100)))) {
      assertThat(all.chain().base()).isZero();
    }
  }

  /**
   * A node with a shorter chain lacks the first block of the headers. Its "no more" does not count
   * as the end of the chain, whether or not there are known blocks above.
   */
  @Test
  void aPeerWithoutTheFirstBlockCompletesNothing() throws Exception {
    BuiltChain shorter = ChainBuilder.ofSeed(6).blocks(300).build();
    for (Checkpoints known : List.of(KNOWN, known(BUILT.chain(), 2_015))) {
      Path wallet = folder.resolve("w" + known.size());
      try (RegtestNode node = RegtestNode.start(shorter.chain());
          SpvWallet behind =
              SpvWallet.create(
                  wallet, RECIPE.startingAt(known).withBirthday(new Birthday.AtHeight(2_020)))) {
        NoUsablePeerException none =
            catchThrowableOfType(
                NoUsablePeerException.class,
                () -> behind.sync(to(node).checkpoints(known), SyncListener.NONE));
        assertThat(none).hasMessageContaining("does not reach block height");
        assertThat(behind.chain().complete()).isFalse();
        assertThat(behind.chain().height()).isEqualTo(2_015);
      }
    }
  }

  /** Balance 0 of a wallet without a scan must not look like the truth. */
  @Test
  void reportsThatNothingWasScannedIfTheBirthdayIsAheadOfAllBlocks() throws Exception {
    Birthday never = new Birthday.AtTime(Instant.parse("2100-01-01T00:00:00Z"));
    for (Birthday ahead : List.of(new Birthday.AtHeight(TIP + 1), never)) {
      Path early = folder.resolve("early" + ahead.hashCode());
      try (RegtestNode node = node();
          SpvWallet wallet =
              SpvWallet.create(early, RECIPE.startingAt(KNOWN).withBirthday(ahead))) {
        SyncReport report = wallet.sync(to(node), SyncListener.NONE);
        assertThat(report.complete()).isEqualTo(!ahead.equals(never));
        assertThat(wallet.chain().complete()).isEqualTo(report.complete());
        assertThat(report.warnings()).contains(new WalletWarning.BirthdayAhead(4_500));
        SyncReport again = wallet.rescan(new Birthday.AtHeight(4_100), to(node), SyncListener.NONE);
        assertThat(again.complete()).isTrue();
        assertThat(again.warnings()).noneMatch(WalletWarning.BirthdayAhead.class::isInstance);
        assertThat(again.blocksScanned()).isPositive();
      }
    }
  }

  /** A clock that was ahead when the wallet was made: payments until then would be missed. */
  @Test
  void followingSaysOfNoBlockBeforeTheBirthdayThatItIsComplete() throws Exception {
    Birthday tomorrow = new Birthday.AtTime(Instant.parse("2100-01-01T00:00:00Z"));
    BlockingQueue<SyncEvent> events = new LinkedBlockingQueue<>();
    try (RegtestNode node = node();
        SpvWallet wallet =
            SpvWallet.create(
                folder.resolve("ahead"), RECIPE.startingAt(KNOWN).withBirthday(tomorrow))) {
      SyncOptions options = to(node).follow(true);
      try (RunningSync sync = wallet.start(options, Runnable::run, events::add)) {
        awaitAhead(events, 4_500);
        node.mine(1);
        awaitAhead(events, 4_501);
        assertThat(wallet.chain().complete()).isFalse();
        assertThat(sync.isRunning()).isTrue();
      }
      assertThat(events).noneMatch(WalletEvent.Complete.class::isInstance);
    }
  }

  private static void awaitAhead(BlockingQueue<SyncEvent> events, int height)
      throws InterruptedException {
    SyncEvent wanted = new WalletWarning.BirthdayAhead(height);
    SyncEvent event = events.take();
    while (!event.equals(wanted)) {
      assertThat(event).isNotInstanceOf(WalletEvent.Complete.class);
      event = events.take();
    }
  }

  /** One of two peers lacks the block: the other one is enough. */
  @Test
  void aPeerWithoutTheFirstBlockHindersNoOther() throws Exception {
    BuiltChain shorter = ChainBuilder.ofSeed(6).blocks(300).build();
    try (RegtestNode behind = RegtestNode.start(shorter.chain());
        RegtestNode node = node();
        SpvWallet wallet = create(new Birthday.AtHeight(4_100))) {
      assertThat(wallet.sync(to(behind, node), SyncListener.NONE).complete()).isTrue();
      assertThat(wallet.chain().height()).isEqualTo(TIP);
    }
  }

  @Test
  void walletsFromGenesisHaveNoOtherFormat() throws Exception {
    SpvWallet.create(file(), RECIPE).close();
    assertThat(format()).isEqualTo(11);
    try (SpvWallet wallet = SpvWallet.open(file())) {
      assertThat(wallet.chain().base()).isZero();
      assertThat(wallet.privacy().report(Universe.of(wallet.info().network()))).isNotNull();
    }
  }
}
