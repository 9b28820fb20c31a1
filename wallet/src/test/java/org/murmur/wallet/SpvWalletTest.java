package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.KeyNetwork;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.machine.SyncMachine;
import org.murmur.p2p.internal.net.CommitSink;
import org.murmur.p2p.internal.net.PeerLoop;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.lies.EndsMempool;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.ledger.Balance;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.StopSignal;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;
import org.murmur.wallet.sync.WalletEvent;
import org.murmur.wallet.sync.WalletEvent.Payment.Change;

/** A complete run: words to balance, from an embedded node over TCP. */
@Timeout(120)
final class SpvWalletTest {

  /** For unsigned payments. */
  private static final Behaviour TRUSTING =
      Behaviour.honest().with(new EndsMempool()).relayingAnything();

  @TempDir Path folder = Path.of("");

  private static SyncOptions to(RegtestNode node) {
    return SyncOptions.connect(node.address())
        .limits(limits -> limits.mempoolWait(Duration.ofSeconds(2)));
  }

  private static BuiltChain chain(long seed, WalletRecipe recipe, int blocks, int transactions) {
    return ChainBuilder.ofSeed(seed)
        .blocks(blocks)
        .transactionsPerBlock(5)
        .wallet(Lives.lively(recipe, transactions))
        .build();
  }

  @ParameterizedTest
  @EnumSource(OutputType.class)
  void findsALivelyWalletOfEveryScriptType(OutputType type) throws Exception {
    WalletRecipe recipe = Lives.recipe(type);
    BuiltChain built = chain(type.purpose(), recipe, 400, 120);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      SyncReport report = wallet.sync(to(node), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.height()).isEqualTo(400);
      Lives.assertTruth(wallet, node, recipe);
      assertThat(report.balance()).isEqualTo(wallet.balance());
      assertThat(report.transactions()).isEqualTo(wallet.history().list().size());
    }
    try (SpvWallet again = SpvWallet.open(folder.resolve("w"))) {
      assertThat(again.balance()).isEqualTo(Lives.balance(built.truth()));
      assertThat(again.chain().complete()).isTrue();
    }
  }

  /** A block may pay the wallet often: the proof of one payment must not disclose the others. */
  @Test
  void aProofProvesTheOneTransactionOnly() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(11, recipe, 130, 120);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      wallet.sync(to(node), SyncListener.NONE);
      Set<Integer> heights = new HashSet<>();
      int together = 0;
      for (HistoryEntry entry : wallet.history().list()) {
        MerkleBlock proof =
            wallet.history().transaction(entry.txid()).orElseThrow().proof().orElseThrow();
        assertThat(proof.verify())
            .isInstanceOfSatisfying(
                Verdict.Proven.class,
                proven ->
                    assertThat(proven.matches())
                        .extracting(Match::txid)
                        .containsExactly(entry.txid()));
        together += heights.add(entry.height().orElseThrow()) ? 0 : 1;
      }
      assertThat(together).as("transactions in a block with others").isPositive();
    }
  }

  /** Like a real node: it does not answer if nothing matches, so only the clock decides. */
  @Test
  void cannotTellAnEmptyMempoolFromASlowOne() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(11, recipe, 300, 60);
    try (RegtestNode node = RegtestNode.start(built.chain(), Behaviour.honest());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      SyncReport report =
          wallet.sync(
              to(node).limits(limits -> limits.mempoolWait(Duration.ofMillis(500))),
              SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.mempool()).isEqualTo(SyncEvent.MempoolAnswered.Answer.PARTIAL);
    }
  }

  @Test
  void asksForNothingWhenNothingIsNew() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(11, recipe, 300, 60);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
      SyncReport second = wallet.sync(to(node), SyncListener.NONE);
      assertThat(second.complete()).isTrue();
      assertThat(second.blocksScanned()).isZero();
      node.mine(1);
      SyncReport third = wallet.sync(to(node), SyncListener.NONE);
      assertThat(third.complete()).isTrue();
      assertThat(third.blocksScanned()).isEqualTo(1);
      Lives.assertTruth(wallet, node, recipe);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void growsASmallLookAheadInFlight(int seed) throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH).withLookAhead(20);
    BuiltChain built = chain(seed, recipe, 400, 200);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
      Lives.assertTruth(wallet, node, recipe);
      StoredCoins.assertFollow(folder.resolve("w"));
    }
  }

  @Test
  void followsAReorganisationWhileAway() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(21, recipe, 300, 150);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      wallet.sync(to(node), SyncListener.NONE);
      node.reorg(12, 13, RegtestNode.Orphaned.TO_MEMPOOL);
      List<SyncEvent> events = new ArrayList<>();
      assertThat(wallet.sync(to(node), events::add).complete()).isTrue();
      Lives.assertTruth(wallet, node, recipe);
      StoredCoins.assertFollow(folder.resolve("w"));
      assertThat(events).contains(new WalletEvent.Reorganised(288, 300));
    }
  }

  /** Uncommitted data is lost; committed data is not, and the next sync continues. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void goesOnAfterACrashAtAnyCommit(boolean written) throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2TR).withLookAhead(20);
    BuiltChain built = chain(31, recipe, 800, 200);
    Path file = folder.resolve("w");
    SpvWallet.create(file, recipe).close();
    try (RegtestNode node = RegtestNode.start(built.chain())) {
      int crashes = 0;
      for (int commits = 0; crash(file, node, commits, written); commits++) {
        crashes++;
      }
      assertThat(crashes).isGreaterThan(2);
      try (SpvWallet wallet = SpvWallet.open(file)) {
        assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
        Lives.assertTruth(wallet, node, recipe);
      }
    }
  }

  /**
   * Syncs until the disk dies before or after this many commits; false if it was done before that.
   */
  private static boolean crash(Path file, RegtestNode node, int commits, boolean written)
      throws IOException {
    try (WalletStore store = SqliteStore.open(file)) {
      Books books = new Books(store, ChainParams.REGTEST, KeyNetwork.REGTEST);
      books.lock();
      int[] left = {commits};
      CommitSink sink =
          batch -> {
            if (left[0]-- > 0) {
              return books.commit(batch, 0).inputs();
            }
            if (written) {
              books.commit(batch, 0);
            }
            throw new IOException("the plug is pulled");
          };
      SyncSettings settings =
          SyncSettings.of(List.of(new NodeAddress(node.host(), node.port())), commits);
      new PeerLoop(
              new SyncMachine(books.start(Preset.Fast.USUAL), settings),
              sink,
              event -> {},
              Clock.systemUTC(),
              ChainParams.REGTEST.magic())
          .run();
      return false;
    } catch (IOException e) {
      assertThat(e).hasMessage("the plug is pulled");
      return true;
    }
  }

  @Test
  void endsAtItsLimits() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(41, recipe, 120, 10);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      SyncOptions stay = to(node).follow(true);
      SyncReport bytes = wallet.sync(stay.limits(limits -> limits.bytes(1)), SyncListener.NONE);
      assertThat(bytes.ending()).isEqualTo(SyncReport.Ending.MAX_BYTES);
      SyncReport time =
          wallet.sync(
              stay.limits(limits -> limits.time(Duration.ofMillis(300))), SyncListener.NONE);
      assertThat(time.ending()).isEqualTo(SyncReport.Ending.TIMEOUT);
      SyncReport stopped =
          wallet.sync(
              stay,
              event -> {
                if (event instanceof WalletEvent.Complete) {
                  wallet.stop();
                }
              });
      assertThat(stopped.ending()).isEqualTo(SyncReport.Ending.STOPPED);
      assertThat(stopped.complete()).isTrue();
    }
  }

  /** Under the compact preset it hears of them: the network is a test network. */
  @ParameterizedTest
  @EnumSource(names = {"FAST", "COMPACT"})
  void followsPaymentsFromFirstSightToConfirmation(Preset.Kind preset) throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    List<Bytes> scripts = Lives.scripts(recipe, 0, 3);
    BuiltChain built = chain(51, recipe, 120, 30);
    List<String> told = new ArrayList<>();
    Behaviour behaviour = Behaviour.honest().withCompactFilters();
    try (RegtestNode node = RegtestNode.start(built.chain(), behaviour);
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      ChainCoin coin = someoneElses(node);
      Tx payment =
          new TxBuilder().spend(coin.outPoint()).pay(coin.value() - 1000, scripts.get(0)).build();
      Tx bump =
          new TxBuilder().spend(coin.outPoint()).pay(coin.value() - 9000, scripts.get(1)).build();
      SyncListener script =
          event -> {
            if (event instanceof WalletEvent.Complete && told.isEmpty()) {
              told.add("complete");
              node.broadcast(payment);
            } else if (event instanceof WalletEvent.Payment seen
                && seen.change() == Change.SEEN
                && isOneOf(seen.entry(), payment, bump)) {
              told.add("seen " + seen.entry().net());
              if (seen.entry().txid().equals(payment.txid())) {
                node.broadcast(bump);
              } else {
                node.mine(1);
              }
            } else if (event instanceof WalletEvent.Payment gone
                && gone.change() == Change.REPLACED) {
              // Reported while its conflict is pending, perhaps again if more is known of it by
              // then, and again when the conflict is in a block.
              boolean spent = gone.entry().replacedBy().orElseThrow().height().isPresent();
              String what = (spent ? "double-spent " : "replaced ") + gone.entry().net();
              if (!told.contains(what)) {
                told.add(what);
              }
            } else if (event instanceof WalletEvent.Payment there
                && there.change() == Change.CONFIRMED
                && isOneOf(there.entry(), payment, bump)) {
              told.add("confirmed " + there.entry().net());
              wallet.stop();
            }
          };
      SyncReport report =
          wallet.sync(
              to(node)
                  .preset(preset)
                  .follow(true)
                  .limits(limits -> limits.time(Duration.ofSeconds(60))),
              script);
      boolean heard = report.mempool() == SyncEvent.MempoolAnswered.Answer.HEARD;
      assertThat(List.of(heard, report.heardSince().isPresent(), node.filtersShown().isEmpty()))
          .containsOnly(preset == Preset.Kind.COMPACT);
      assertThat(told)
          .containsExactlyInAnyOrder(
              "complete",
              "seen " + (coin.value() - 1000),
              "seen " + (coin.value() - 9000),
              "replaced " + (coin.value() - 1000),
              "double-spent " + (coin.value() - 1000),
              "confirmed " + (coin.value() - 9000));
      assertThat(wallet.balance()).isEqualTo(Lives.balance(Lives.truth(node, recipe)));
      assertThat(wallet.history().full().list())
          .filteredOn(entry -> entry.status() == TxStatus.REPLACED)
          .extracting(HistoryEntry::txid)
          .containsExactly(payment.txid());
    }
  }

  private static boolean isOneOf(HistoryEntry entry, Tx... txs) {
    return Arrays.stream(txs).anyMatch(tx -> tx.txid().equals(entry.txid()));
  }

  /** A mature foreign coin of the miner. */
  private static ChainCoin someoneElses(RegtestNode node) {
    for (int height = 1; height < node.height() - 100; height++) {
      ChainCoin coin = node.chain().coin(node.blockAt(height).tx(0).outPoint(0));
      if (coin != null && coin.spendableAt(node.height() + 1)) {
        return coin;
      }
    }
    throw new AssertionError("no coin to pay with");
  }

  @Test
  void broadcastsAndRemembers() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(61, recipe, 250, 40);
    try (RegtestNode node = RegtestNode.start(built.chain(), TRUSTING);
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      wallet.sync(to(node), SyncListener.NONE);
      org.murmur.wallet.WalletCoin coin =
          wallet.coins().list().stream().filter(c -> !c.immature()).findFirst().orElseThrow();
      Tx sweep =
          Lives.signed(
              wallet,
              new TxBuilder()
                  .spend(coin.outPoint())
                  .pay(coin.value() - 500, Bytes.ofHex("51"))
                  .build());
      Balance before = wallet.balance();
      BroadcastReport report =
          wallet
              .payments()
              .broadcast(sweep, SyncOptions.connect(node.address()), SyncListener.NONE);
      assertThat(report.fetchedBy()).hasSize(1);
      assertThat(node.mempool().transaction(sweep.txid())).isNotNull();
      assertThat(wallet.balance().unconfirmed()).isEqualTo(before.unconfirmed() - coin.value());
      node.mine(1);
      wallet.sync(to(node), SyncListener.NONE);
      Lives.assertTruth(wallet, node, recipe);
      assertThat(wallet.history().transaction(sweep.txid()).orElseThrow().proof()).isPresent();
      assertThat(wallet.privacy().why(sweep.txid().toDisplay()).covered()).isTrue();
    }
  }

  /** A higher fee for an own payment: the first one already spends its coin. */
  @Test
  void remembersTheReplacementOfItsOwnPayment() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(61, recipe, 250, 40);
    try (RegtestNode node = RegtestNode.start(built.chain(), TRUSTING);
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      wallet.sync(to(node), SyncListener.NONE);
      org.murmur.wallet.WalletCoin coin =
          wallet.coins().list().stream().filter(c -> !c.immature()).findFirst().orElseThrow();
      Bytes own = scriptOf(wallet);
      Balance before = wallet.balance();
      for (int fee : new int[] {500, 900, 1_700}) {
        Tx payment =
            Lives.signed(
                wallet,
                new TxBuilder()
                    .spend(coin.outPoint())
                    .pay(1_000, Bytes.ofHex("51"))
                    .pay(coin.value() - 1_000 - fee, own)
                    .build());
        wallet
            .payments()
            .broadcast(payment, SyncOptions.connect(node.address()), SyncListener.NONE);
        assertThat(node.mempool().transaction(payment.txid())).isNotNull();
        assertThat(wallet.history().list())
            .filteredOn(entry -> entry.status() == TxStatus.PENDING)
            .extracting(HistoryEntry::txid)
            .contains(payment.txid());
        assertThat(wallet.balance().total()).isEqualTo(before.total() - 1_000 - fee);
      }
    }
  }

  private static Bytes scriptOf(SpvWallet wallet) {
    org.murmur.wallet.WalletCoin coin = wallet.coins().list().get(0);
    Tx tx = wallet.history().transaction(coin.outPoint().txid()).orElseThrow().tx();
    return tx.outputs().get(coin.outPoint().index()).script();
  }

  /**
   * A node that fetches a transaction may refuse it silently: this one spends a coin that does not
   * exist.
   */
  @Test
  void countsNoMoneyThatNoPeerHasSeen() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(63, recipe, 250, 40);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      wallet.sync(to(node), SyncListener.NONE);
      Balance before = wallet.balance();
      Tx madeUp =
          new TxBuilder()
              .spend(new OutPoint(Hash256.ofDisplay("aa".repeat(32)), 0))
              .pay(700_000_000, scriptOf(wallet))
              .build();
      SyncOptions brief =
          SyncOptions.connect(node.address())
              .limits(limits -> limits.broadcastWait(Duration.ofSeconds(3)));
      BroadcastReport report = wallet.payments().broadcast(madeUp, brief, SyncListener.NONE);
      assertThat(report.fetchedBy()).hasSize(1);
      assertThat(report.isAccepted()).isFalse();
      assertThat(node.mempool().transaction(madeUp.txid())).isNull();
      assertThat(wallet.balance()).isEqualTo(before);
      assertThat(wallet.history().full().list())
          .noneMatch(entry -> entry.txid().equals(madeUp.txid()));
    }
  }

  /** A node refuses silently: without the limit this would outlast the test. */
  @Test
  void aBroadcastEndsWhenItsTimeIsOver() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(65, recipe, 120, 20);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      wallet.sync(to(node), SyncListener.NONE);
      Tx madeUp =
          new TxBuilder()
              .spend(new OutPoint(Hash256.ofDisplay("aa".repeat(32)), 0))
              .pay(700, scriptOf(wallet))
              .build();
      SyncOptions limited =
          SyncOptions.connect(node.address())
              .limits(
                  limits -> limits.broadcastWait(Duration.ofHours(1)).time(Duration.ofSeconds(2)));
      BroadcastReport report = wallet.payments().broadcast(madeUp, limited, SyncListener.NONE);
      assertThat(report.fetchedBy()).hasSize(1);
      assertThat(report.isAccepted()).isFalse();
    }
  }

  /** A user who waits for payments must not take it for the end of the sync. */
  @Test
  void followingEndsBadlyWhenItsOnlyNodeServesNoLonger() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(64, recipe, 120, 20);
    RegtestNode node = RegtestNode.start(built.chain());
    List<RegtestNode> next = new CopyOnWriteArrayList<>();
    try (SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      SyncOptions following =
          to(node).follow(true).limits(limits -> limits.time(Duration.ofSeconds(90)));
      NoUsablePeerException none =
          catchThrowableOfType(
              NoUsablePeerException.class,
              () ->
                  wallet.sync(
                      following,
                      event -> {
                        if (event instanceof WalletEvent.Complete && next.isEmpty()) {
                          node.close();
                          next.add(
                              RegtestNode.start(
                                  built.chain(), Behaviour.honest().withoutBloom(), node.port()));
                        }
                      }));
      assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_BLOOM);
      Lives.assertTruth(wallet, next.get(0), recipe);
    } finally {
      node.close();
      next.forEach(RegtestNode::close);
    }
  }

  /** Waiting for an absent peer would outlast the test. */
  @Test
  void aBroadcastDoesNotWaitForAbsentPeers() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(62, recipe, 250, 40);
    try (RegtestNode node = RegtestNode.start(built.chain(), TRUSTING);
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      wallet.sync(to(node), SyncListener.NONE);
      org.murmur.wallet.WalletCoin coin =
          wallet.coins().list().stream().filter(c -> !c.immature()).findFirst().orElseThrow();
      Tx sweep =
          Lives.signed(
              wallet,
              new TxBuilder()
                  .spend(coin.outPoint())
                  .pay(coin.value() - 500, Bytes.ofHex("51"))
                  .build());
      SyncOptions patient =
          SyncOptions.connect("127.0.0.1:1", node.address())
              .limits(limits -> limits.broadcastWait(Duration.ofHours(1)));
      BroadcastReport report = wallet.payments().broadcast(sweep, patient, SyncListener.NONE);
      assertThat(report.fetchedBy()).hasSize(1);
    }
  }

  @Test
  void reportsUnusablePeers() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    try (SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class,
              () -> wallet.sync(SyncOptions.connect("127.0.0.1:1"), SyncListener.NONE));
      assertThat(failure.kind()).isEqualTo(Obstacle.Kind.UNREACHABLE);
      assertThat(failure.report().complete()).isFalse();
      assertThat(
              catchThrowableOfType(
                      WalletException.class,
                      () -> wallet.sync(SyncOptions.connect("a.onion"), SyncListener.NONE))
                  .kind())
          .isEqualTo(WalletException.Kind.BAD_INPUT);
    }
  }

  @Test
  void returnsTheEarlierBirthdayOfARescan() throws Exception {
    BuiltChain built = chain(72, Lives.recipe(OutputType.P2WPKH), 200, 60);
    try (RegtestNode node = RegtestNode.start(built.chain())) {
      Instant date = Instant.ofEpochSecond(node.blockAt(150).time());
      Birthday born = new Birthday.AtTime(date);
      WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH).withBirthday(born);
      try (SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
        assertThat(wallet.info().birthday()).isEqualTo(born);
        wallet.sync(to(node), SyncListener.NONE);
        assertThat(wallet.info().birthday()).isEqualTo(born);
        int at = wallet.info().birthdayHeight().orElseThrow();
        wallet.rescan(new Birthday.AtHeight(at + 5), to(node), SyncListener.NONE);
        assertThat(wallet.info().birthday()).isEqualTo(born);
        wallet.rescan(new Birthday.AtHeight(at - 5), to(node), SyncListener.NONE);
        assertThat(wallet.info().birthday()).isEqualTo(new Birthday.AtHeight(at - 5));
      }
    }
  }

  /** The end of the chain is not known before the headers are here. */
  @Test
  void aRescanStoppedBeforeItsHeadersReportsNoChainEnd() throws Exception {
    BuiltChain built = chain(73, Lives.recipe(OutputType.P2WPKH), 120, 10);
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), Lives.recipe(OutputType.P2WPKH))) {
      StopSignal stop = new StopSignal();
      stop.stop();
      SyncReport report =
          wallet.rescan(new Birthday.AtHeight(50), to(node).stoppedBy(stop), SyncListener.NONE);
      assertThat(report.complete()).isFalse();
      assertThat(report.height()).isLessThan(50);
    }
  }

  @Test
  void rescansFromBeforeTheBirthday() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built = chain(71, recipe, 200, 60);
    WalletRecipe late = recipe.withBirthday(new Birthday.AtHeight(150));
    try (RegtestNode node = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), late)) {
      assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
      assertThat(wallet.history().list().size()).isLessThan(built.truth().transactions().size());
      SyncReport report = wallet.rescan(new Birthday.AtHeight(1), to(node), SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      Lives.assertTruth(wallet, node, recipe);
      // A user who restores it later reads the birthday here.
      assertThat(wallet.info().birthday()).isEqualTo(new Birthday.AtHeight(1));
    }
  }
}
