package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * Forty addresses on loopback, each of its own network group, with gossip among them and a DNS
 * server: a wallet without known peers has to find those that serve it.
 */
@Timeout(300)
final class FakeInternetTest {

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH).withLookAhead(200);

  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(35)
          .blocks(200)
          .transactionsPerBlock(4)
          .wallet(Lives.lively(RECIPE, 60))
          .build();

  private static final String SEED = FakeInternet.SEED;

  @TempDir Path folder = Path.of("");

  private static FakeInternet internet(long seed) throws IOException {
    FakeInternet net = new FakeInternet(seed);
    net.fill(
        BUILT.chain(),
        10,
        FakeInternet.usualLiars(
            BUILT.truth().transactions().stream().map(WalletTruth.Entry::txid).toList()));
    return net;
  }

  private SpvWallet wallet(String name) throws Exception {
    return SpvWallet.create(folder.resolve(name + ".sqlite"), RECIPE);
  }

  private static void assertTruth(SpvWallet wallet) {
    long expected = 0;
    for (WalletTruth.Entry entry : BUILT.truth().transactions()) {
      expected += entry.netSat();
    }
    assertThat(wallet.balance().total()).isEqualTo(expected);
    assertThat(wallet.history().list()).hasSize(BUILT.truth().transactions().size());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aColdStartFindsThoseThatServeIt(long seed) throws Exception {
    try (FakeInternet net = internet(seed);
        SpvWallet wallet = wallet("cold" + seed)) {
      net.dns.names.put(
          seed == 1 ? "x5." + SEED : SEED,
          List.of(
              net.liars.get(0),
              net.dead.get(0),
              net.plain.get(0),
              net.filtering.get(0),
              net.plain.get(1)));
      SyncReport report = wallet.sync(net.options().ifFast(fast -> fast.verify(2)), event -> {});
      System.out.println("seed " + seed + ": " + report.elapsed() + ", " + report.peers().size());
      assertThat(report.complete()).as(report.toString()).isTrue();
      assertThat(report.seenBy()).isGreaterThanOrEqualTo(2);
      assertTruth(wallet);
      assertThat(net.dns.asked).contains("x5." + SEED, "xd." + SEED);

      // A second start knows which peers to call, though some of those have gone.
      net.dns.asked.clear();
      net.close(List.of(net.shownFilters().iterator().next()));
      SyncReport again = wallet.sync(net.options().ifFast(fast -> fast.verify(2)), event -> {});
      assertThat(again.complete()).as(again.toString()).isTrue();
      assertThat(net.dns.asked).isEmpty();
      assertTruth(wallet);
      PeerBook book = wallet.privacy().peerBook();
      // One of the liars invents addresses.
      assertThat(book.addresses()).isGreaterThanOrEqualTo(10);
      assertThat(book.groups()).isGreaterThanOrEqualTo(10);
      assertThat(book.reached()).isGreaterThanOrEqualTo(4);
    }
  }

  @Test
  void guardsAreTwoOfDifferentGroupsAndTheSameNextTime() throws Exception {
    try (FakeInternet net = internet(5);
        SpvWallet wallet = wallet("guarded")) {
      net.dns.names.put("x5." + SEED, net.filtering.subList(0, 5));
      SyncOptions options = net.options().preset(Preset.Kind.PRIVATE);
      assertThat(wallet.sync(options, event -> {}).complete()).isTrue();
      assertTruth(wallet);
      Set<String> guards = net.shownFilters();
      assertThat(guards).hasSize(2);
      assertThat(wallet.sync(options, event -> {}).complete()).isTrue();
      assertThat(net.shownFilters()).isEqualTo(guards);
      Set<NetGroup> groups = new HashSet<>();
      guards.forEach(guard -> groups.add(NetGroup.of(FakeInternet.endpoint(guard))));
      assertThat(groups).hasSize(2);
    }
  }

  /**
   * A peer that holds a filter would recognise the wallet by a transaction: it is not even called.
   */
  @Test
  void broadcastsToDiscoveredPeersWithoutAFilter() throws Exception {
    try (FakeInternet net = internet(7);
        SpvWallet wallet = wallet("sender")) {
      net.dns.names.put("x5." + SEED, net.filtering.subList(0, 5));
      SyncOptions options = net.options().preset(Preset.Kind.PRIVATE);
      assertThat(wallet.sync(options, event -> {}).complete()).isTrue();
      Set<String> guards = net.shownFilters();
      Set<String> called = ConcurrentHashMap.newKeySet();
      guards.forEach(
          guard ->
              net.node(guard)
                  .watch(
                      new RegtestNode.Onlooker() {
                        @Override
                        public void received(Message message) {
                          called.add(guard);
                        }

                        @Override
                        public void left() {
                          // It had to come first.
                        }
                      }));
      WalletCoin coin =
          wallet.coins().list().stream().filter(c -> !c.immature()).findFirst().orElseThrow();
      Tx sweep =
          Lives.signed(
              wallet,
              new TxBuilder()
                  .spend(coin.outPoint())
                  .pay(coin.value() - 500, Bytes.ofHex("51"))
                  .build());
      List<String> avoided = new ArrayList<>(net.filtering.subList(0, 5));
      avoided.removeAll(guards);
      avoided.remove(0);
      avoided.addAll(net.plain);
      BroadcastReport report =
          wallet
              .payments()
              .broadcast(sweep, options.peers(who -> who.avoiding(avoided)), SyncListener.NONE);
      assertThat(report.fetchedBy())
          .as(report.toString())
          .isNotEmpty()
          .noneMatch(peer -> avoided.contains(peer.host()));
      for (String guard : guards) {
        assertThat(report.fetchedBy()).noneMatch(peer -> peer.host().equals(guard));
      }
      assertThat(called).isEmpty();
      assertThat(net.shownFilters()).isEqualTo(guards);
    }
  }

  @Test
  void withoutFilteringNodesItReportsTheSearch() throws Exception {
    try (FakeInternet net = internet(6);
        SpvWallet wallet = wallet("none")) {
      net.close(net.filtering);
      net.close(net.liars);
      net.dns.names.put(SEED, net.plain.subList(0, 3));
      NoUsablePeerException none =
          catchThrowableOfType(
              NoUsablePeerException.class, () -> wallet.sync(net.options(), event -> {}));
      System.out.println(none.getMessage());
      assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_BLOOM);
      SyncFact.PeerSearch search = none.search().orElseThrow();
      assertThat(search.known()).isBetween(20, 40);
      assertThat(search.reached()).isBetween(15, 20);
      assertThat(search.filtering()).isZero();
      assertThat(search.seedsAnswered()).isEqualTo(1);
      assertThat(none.getMessage())
          .contains(search.known() + " addresses known")
          .contains(search.reached() + " reached, 0 of these with NODE_BLOOM");
      assertThat(none.report().complete()).isFalse();
    }
  }
}
