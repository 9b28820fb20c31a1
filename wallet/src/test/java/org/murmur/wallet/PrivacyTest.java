package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.lies.Omits;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.privacy.Knowledge;
import org.murmur.wallet.privacy.PrivacyReport;
import org.murmur.wallet.privacy.ShownFilter;
import org.murmur.wallet.privacy.Universe;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** The wallet's record of sent filters agrees with what peers got. */
@Timeout(120)
final class PrivacyTest {

  private static final Universe UNIVERSE = Universe.chosen(1e9);

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("w");
  }

  private static SyncOptions to(RegtestNode... nodes) {
    String[] addresses = new String[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      addresses[i] = nodes[i].address();
    }
    return SyncOptions.connect(addresses).limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  private static List<ShownFilter> shownTo(RegtestNode node, PrivacyReport report) {
    return report.filters().stream()
        .filter(filter -> filter.peer().toString().equals(node.address()))
        .toList();
  }

  /** A filter by what the record has of it: its parameters and the number of bits set. */
  private record Trait(FilterParameters parameters, int bitsSet) {}

  /** How often a node was sent which filter, by the record. */
  private static Map<Trait, Integer> recorded(List<ShownFilter> shown) {
    Map<Trait, Integer> times = new HashMap<>();
    for (ShownFilter filter : shown) {
      times.merge(new Trait(filter.parameters(), filter.bitsSet()), filter.times(), Integer::sum);
    }
    return times;
  }

  /** The same by the wire. */
  private static Map<Trait, Integer> received(RegtestNode node) {
    Map<Trait, Integer> times = new HashMap<>();
    for (BloomFilter filter : node.filtersShown()) {
      times.merge(new Trait(filter.parameters(), filter.bitsSet()), 1, Integer::sum);
    }
    return times;
  }

  /** The wire and the record. */
  private static void assertTold(RegtestNode node, PrivacyReport report) {
    List<ShownFilter> shown = shownTo(node, report);
    assertThat(recorded(shown)).isEqualTo(received(node));
    assertThat(shown.stream().mapToInt(ShownFilter::inTheClear).sum())
        .isEqualTo(node.elementsShown().size());
  }

  /**
   * A look-ahead that grows during a scan, restarts, a rescan, a reorganisation: no record is lost.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void reportsTheBytesOnTheWire(int seed) throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH).withLookAhead(20);
    BuiltChain built =
        ChainBuilder.ofSeed(seed)
            .blocks(300)
            .transactionsPerBlock(5)
            .wallet(Lives.lively(recipe, 120))
            .build();
    try (RegtestNode node = RegtestNode.start(built.chain());
        RegtestNode other = RegtestNode.start(built.chain())) {
      try (SpvWallet wallet = SpvWallet.create(file(), recipe)) {
        assertThat(wallet.privacy().report(UNIVERSE).peers()).isEmpty();
        assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
        assertThat(node.elementsShown()).isNotEmpty();
        assertTold(node, wallet.privacy().report(UNIVERSE));
      }
      try (SpvWallet wallet = SpvWallet.open(file())) {
        assertTold(node, wallet.privacy().report(UNIVERSE));
        node.reorg(5, 6, RegtestNode.Orphaned.TO_MEMPOOL);
        assertThat(wallet.sync(to(node, other), SyncListener.NONE).complete()).isTrue();
        assertThat(
                wallet
                    .rescan(
                        new Birthday.AtHeight(10),
                        to(node, other).ifFast(fast -> fast.verify(2)),
                        SyncListener.NONE)
                    .complete())
            .isTrue();
      }
      try (SpvWallet wallet = SpvWallet.open(file())) {
        PrivacyReport report = wallet.privacy().report(UNIVERSE);
        assertTold(node, report);
        assertTold(other, report);
        assertThat(report.peers()).hasSize(2);
        assertThat(report.coalitions()).hasSize(1);
        assertThat(report.usedScripts()).isPositive();
        assertThat(report.filters()).allSatisfy(f -> assertThat(f.usedScripts()).isPositive());
        // Scripts and coins in one filter at 1e-9, and spends that link them: everything is known.
        Knowledge worst = report.worst().orElseThrow();
        assertThat(worst.pairs().orElseThrow().strangers()).isLessThan(1e-6);
        assertThat(worst.cluster()).isPresent();
      }
    }
  }

  /** A liar's answers are discarded; the filters that it got stay on record. */
  @Test
  void remembersTheFiltersOfADisownedPeer() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built =
        ChainBuilder.ofSeed(5)
            .blocks(200)
            .transactionsPerBlock(5)
            .wallet(Lives.lively(recipe, 80))
            .build();
    try (RegtestNode liar =
            RegtestNode.start(built.chain(), Behaviour.honest().withSeed(5).with(new Omits(0.5)));
        RegtestNode honest = RegtestNode.start(built.chain());
        SpvWallet wallet = SpvWallet.create(file(), recipe)) {
      // With a third peer the liar might be asked for the early blocks only, which pay no wallet.
      SyncReport report =
          wallet.sync(to(liar, honest).ifFast(fast -> fast.verify(2)), SyncListener.NONE);
      assertThat(report.peers()).anySatisfy(peer -> assertThat(peer.misbehaviour()).isPresent());
      assertThat(liar.filtersShown()).isNotEmpty();
      // It may have been disconnected between a record and the sending: never the other way round.
      List<ShownFilter> shown = shownTo(liar, wallet.privacy().report(UNIVERSE));
      Map<Trait, Integer> recorded = recorded(shown);
      received(liar)
          .forEach(
              (filter, times) -> assertThat(recorded.get(filter)).isGreaterThanOrEqualTo(times));
      assertThat(shown.stream().mapToInt(ShownFilter::inTheClear).sum())
          .isGreaterThanOrEqualTo(liar.elementsShown().size());
    }
  }

  private static OutPoint someoneElses(RegtestNode node) {
    for (int height = 1; height < node.height() - 100; height++) {
      OutPoint coinbase = node.blockAt(height).tx(0).outPoint(0);
      ChainCoin coin = node.chain().coin(coinbase);
      if (coin != null && coin.spendableAt(node.height() + 1)) {
        return coinbase;
      }
    }
    throw new AssertionError("no coin to pay with");
  }

  /**
   * A node that gets a request by name for a payment knows the wallet by it, though no filter does.
   */
  @Test
  void aRequestByTxidDisclosesTheAddresses() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    List<Bytes> scripts = Lives.scripts(recipe, 0, 2);
    BuiltChain built = ChainBuilder.ofSeed(7).blocks(120).transactionsPerBlock(3).build();
    try (RegtestNode node = RegtestNode.start(built.chain().copy());
        RegtestNode other = RegtestNode.start(built.chain().copy());
        SpvWallet wallet = SpvWallet.create(file(), recipe)) {
      node.broadcast(
          new TxBuilder()
              .spend(someoneElses(node))
              .pay(70_000, scripts.get(0))
              .pay(80_000, scripts.get(1))
              .build());
      Duration soon = Duration.ofSeconds(20);
      wallet.sync(to(node).limits(limits -> limits.mempoolWait(soon)), SyncListener.NONE);
      assertThat(wallet.balance().unconfirmed()).isEqualTo(150_000);
      assertThat(wallet.privacy().report(UNIVERSE).peers()).hasSize(1);
      wallet.sync(to(other).limits(limits -> limits.mempoolWait(soon)), SyncListener.NONE);
      PrivacyReport report = wallet.privacy().report(UNIVERSE);
      for (Knowledge knowledge : report.peers()) {
        boolean asked = knowledge.peers().get(0).toString().equals(other.address());
        assertThat(knowledge.byTransactions()).isEqualTo(asked ? 2 : 0);
        assertThat(knowledge.named()).isGreaterThanOrEqualTo(knowledge.byTransactions());
      }
      assertThat(report.payments()).isEmpty();
    }
  }

  /** The model of the server-side filter has grown at least by the wallet's own payments. */
  @Test
  void knowsThatTheServersCopyGrew() throws Exception {
    WalletRecipe recipe = Lives.recipe(OutputType.P2WPKH);
    BuiltChain built =
        ChainBuilder.ofSeed(6)
            .blocks(200)
            .transactionsPerBlock(5)
            .wallet(Lives.lively(recipe, 80))
            .build();
    try (RegtestNode node = RegtestNode.start(built.chain())) {
      try (SpvWallet wallet = SpvWallet.create(file(), recipe)) {
        assertThat(wallet.sync(to(node), SyncListener.NONE).complete()).isTrue();
      }
      try (SpvWallet wallet = SpvWallet.open(file())) {
        ShownFilter shown = wallet.privacy().report(UNIVERSE).filters().get(0);
        assertThat(shown.serverAdded()).isGreaterThanOrEqualTo(wallet.coins().list().size());
        assertThat(shown.serverRate()).isGreaterThan(shown.rate());
      }
    }
  }
}
