package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.OnionAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.lies.EndsMempool;
import org.murmur.regtest.node.Behaviour;
import org.murmur.testbed.proxy.SocksProxy;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/** A complete sync through a proxy that alone knows some names. */
@Timeout(120)
final class ProxiedSyncTest {

  private static final String ONION =
      "pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion";

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH);
  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(5)
          .blocks(260)
          .transactionsPerBlock(5)
          .wallet(Lives.lively(RECIPE, 60))
          .build();

  @TempDir Path folder = Path.of("");

  private static RegtestNode node() {
    // Its payments are not signed.
    return RegtestNode.start(
        BUILT.chain().copy(), Behaviour.honest().with(new EndsMempool()).relayingAnything());
  }

  private static SyncOptions through(SocksProxy proxy, String... peers) {
    return SyncOptions.connect(peers)
        .limits(limits -> limits.mempoolWait(Duration.ofSeconds(2)))
        .proxy(new Proxy("127.0.0.1", proxy.port()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"node.example:8333", ONION, "127.0.0.1"})
  void syncsAsWithout(String peer) throws Exception {
    try (RegtestNode node = node();
        SocksProxy proxy =
            SocksProxy.start(Map.of("node.example", node.port(), ONION, node.port()));
        SpvWallet direct = SpvWallet.create(folder.resolve("direct"), RECIPE);
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      String address = peer.startsWith("127.") ? node.address() : peer;
      SyncReport report = wallet.sync(through(proxy, address), SyncListener.NONE);
      SyncReport expected =
          direct.sync(
              SyncOptions.connect(node.address())
                  .limits(limits -> limits.mempoolWait(Duration.ofSeconds(2))),
              SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.tip()).isEqualTo(expected.tip());
      assertThat(report.balance()).isEqualTo(expected.balance());
      assertThat(wallet.history().list()).isEqualTo(direct.history().list());
      assertThat(wallet.coins().list()).isEqualTo(direct.coins().list());
      Lives.assertTruth(wallet, node, RECIPE);
      assertThat(proxy.visits()).hasSize(1);
      assertThat(peer).startsWith(proxy.visits().get(0).host());
    }
  }

  @Test
  void everyConnectionHasADifferentLogin() throws Exception {
    try (RegtestNode one = node();
        RegtestNode two = node();
        SocksProxy proxy =
            SocksProxy.start(Map.of("a.example", one.port(), "b.example", two.port()));
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncOptions options = through(proxy, "a.example", "b.example").ifFast(fast -> fast.verify(2));
      for (int i = 0; i < 2; i++) {
        assertThat(wallet.sync(options, SyncListener.NONE).complete()).isTrue();
      }
      List<SocksProxy.Visit> visits = proxy.visits();
      assertThat(visits).hasSize(4);
      Set<String> users = new HashSet<>();
      Set<String> passwords = new HashSet<>();
      visits.forEach(visit -> users.add(visit.user()));
      visits.forEach(visit -> passwords.add(visit.password()));
      assertThat(users).hasSize(4);
      assertThat(passwords).hasSize(4);
    }
  }

  @Test
  void broadcastAndRescanGoTheSameWay() throws Exception {
    try (RegtestNode node = node();
        SocksProxy proxy = SocksProxy.start(Map.of("node.example", node.port()));
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncOptions options = through(proxy, "node.example");
      wallet.sync(options, SyncListener.NONE);
      WalletCoin coin =
          wallet.coins().list().stream().filter(c -> !c.immature()).findFirst().orElseThrow();
      Tx sweep =
          Lives.signed(
              wallet,
              new TxBuilder()
                  .spend(coin.outPoint())
                  .pay(coin.value() - 500, Bytes.ofHex("51"))
                  .build());
      BroadcastReport report = wallet.payments().broadcast(sweep, options, SyncListener.NONE);
      assertThat(report.fetchedBy()).hasSize(1);
      assertThat(node.mempool().transaction(sweep.txid())).isNotNull();
      node.mine(1);
      assertThat(wallet.rescan(new Birthday.AtHeight(1), options, SyncListener.NONE).complete())
          .isTrue();
      Lives.assertTruth(wallet, node, RECIPE);
      assertThat(proxy.visits()).hasSize(3).allMatch(v -> v.host().equals("node.example"));
    }
  }

  @Test
  void aNameThatTheProxyDoesNotKnow() throws Exception {
    try (SocksProxy proxy = SocksProxy.start(Map.of());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class,
              () -> wallet.sync(through(proxy, "localhost", "10.1.2.3"), SyncListener.NONE));
      assertThat(failure.kind()).isEqualTo(Obstacle.Kind.UNREACHABLE);
      assertThat(failure)
          .hasMessageContaining("localhost:18444: host unreachable, says the proxy (for a proxy")
          .hasMessageContaining("10.1.2.3:18444: host unreachable, says the proxy");
    }
  }

  /** The node listens and would answer a direct call. */
  @Test
  void withoutItsProxyNoPeerIsCalled() throws Exception {
    try (RegtestNode node = node();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncOptions options = SyncOptions.connect(node.address()).proxy(new Proxy("127.0.0.1", 1));
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class, () -> wallet.sync(options, SyncListener.NONE));
      assertThat(failure.kind()).isEqualTo(Obstacle.Kind.PROXY);
      assertThat(failure)
          .hasMessageContaining("the proxy 127.0.0.1:1 cannot be reached: connection refused");
      assertThat(node.filtersShown()).isEmpty();
      assertThat(failure.report().bytesReceived() + failure.report().bytesSent()).isZero();
    }
  }

  @Test
  void hiddenPeersNeedAProxy() throws Exception {
    try (SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      WalletException failure =
          catchThrowableOfType(
              WalletException.class,
              () -> wallet.sync(SyncOptions.connect(ONION), SyncListener.NONE));
      assertThat(failure.kind()).isEqualTo(WalletException.Kind.BAD_INPUT);
      assertThat(failure).hasMessageContaining("proxy");
    }
  }

  /**
   * The seeds are called by name, where they answer as nodes: nothing is looked up here. Then
   * built-in nodes are called, onion addresses too.
   */
  @Test
  void findsPeersThroughTheProxyOnly() throws Exception {
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(
            ChainParams.TESTNET4, Lives.WORDS, "", List.of(OutputType.P2WPKH), 0);
    try (SocksProxy proxy = SocksProxy.start(Map.of());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      SyncOptions options = SyncOptions.discover().proxy(new Proxy("127.0.0.1", proxy.port()));
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class, () -> wallet.sync(options, SyncListener.NONE));
      assertThat(failure.report().complete()).isFalse();
      Discovery usual = Discovery.USUAL.at(ChainParams.TESTNET4, true);
      List<String> hosts = proxy.visits().stream().map(visit -> visit.host()).toList();
      List<String> builtIn = usual.entries().stream().map(NodeAddress::host).toList();
      assertThat(hosts.subList(0, 2))
          .allMatch(host -> usual.seeds().stream().anyMatch(host::endsWith));
      assertThat(hosts.subList(hosts.size() - 16, hosts.size()))
          .doesNotHaveDuplicates()
          .allMatch(builtIn::contains);
      assertThat(hosts)
          .allMatch(
              host -> builtIn.contains(host) || usual.seeds().stream().anyMatch(host::endsWith));
    }
  }

  /** An address of Tor in gossip (BIP-0155), and the name that a proxy is asked for. */
  private record Onion(Bytes key) {

    static Onion of(int number) {
      byte[] key = new byte[32];
      key[0] = (byte) (number << 4);
      key[31] = (byte) number;
      return new Onion(Bytes.wrap(key));
    }

    String name() {
      return OnionAddress.text(key);
    }

    NodeAddress at() {
      return new NodeAddress(name(), ChainParams.REGTEST.defaultPort());
    }

    NetworkAddress told(long services) {
      long now = Instant.now().getEpochSecond();
      return new NetworkAddress(
          now, services, NetworkAddress.TORV3, key, ChainParams.REGTEST.defaultPort());
    }
  }

  /**
   * A seed that the proxy knows announces three nodes behind the proxy, two of which serve filters.
   * The wallet syncs from those two, keeps them for the next time, sends them no transaction, and
   * calls them only through a proxy. The third node got no filter, so it gets the transaction.
   */
  @Test
  void findsOnionsAndCallsThemThroughTheProxyOnly() throws Exception {
    Onion one = Onion.of(1);
    Onion two = Onion.of(2);
    Onion plain = Onion.of(3);
    try (RegtestNode seed =
            RegtestNode.start(BUILT.chain().copy(), Behaviour.honest().withoutBloom());
        RegtestNode first = node();
        RegtestNode second = node();
        RegtestNode third =
            RegtestNode.start(
                BUILT.chain().copy(), Behaviour.honest().withoutBloom().relayingAnything());
        SocksProxy proxy =
            SocksProxy.start(
                Map.of(
                    "x5.seed.example",
                    seed.port(),
                    one.name(),
                    first.port(),
                    two.name(),
                    second.port(),
                    plain.name(),
                    third.port()));
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      seed.tellOf(
          List.of(
              one.told(Services.NETWORK | Services.BLOOM),
              two.told(Services.NETWORK | Services.BLOOM),
              plain.told(Services.NETWORK)));
      Set<String> onions = Set.of(one.name(), two.name(), plain.name());
      List<String> lookedUp = new CopyOnWriteArrayList<>();
      SyncOptions around =
          SyncOptions.discover()
              .peers(who -> who.discovering(Discovery.USUAL.dnsSeeds(List.of("seed.example"))))
              .hostNames(
                  name -> {
                    lookedUp.add(name);
                    throw new UnknownHostException(name);
                  })
              .ifFast(fast -> fast.verify(2))
              .limits(
                  limits -> limits.mempoolWait(Duration.ZERO).broadcastWait(Duration.ofSeconds(3)));
      SyncOptions through = around.proxy(new Proxy("127.0.0.1", proxy.port()));

      assertThat(wallet.sync(through, SyncListener.NONE).complete()).isTrue();
      Lives.assertTruth(wallet, first, RECIPE);
      assertThat(first.filtersShown()).isNotEmpty();
      assertThat(second.filtersShown()).isNotEmpty();
      assertThat(hosts(proxy, 0)).contains("x5.seed.example", one.name(), two.name());
      PeerBook book = wallet.privacy().peerBook();
      assertThat(book.addresses()).isEqualTo(3);
      assertThat(book.onion()).isEqualTo(3);
      assertThat(book.met())
          .filteredOn(peer -> peer.address().equals(one.at()))
          .singleElement()
          .satisfies(peer -> assertThat(Services.has(peer.services(), Services.BLOOM)).isTrue());

      // The stored addresses are enough for the next time.
      final int before = proxy.visits().size();
      assertThat(wallet.sync(through, SyncListener.NONE).complete()).isTrue();
      assertThat(hosts(proxy, before)).isNotEmpty().allMatch(onions::contains);

      // To be sent to a peer that cannot know its sender.
      WalletCoin coin =
          wallet.coins().list().stream().filter(c -> !c.immature()).findFirst().orElseThrow();
      Tx sweep =
          Lives.signed(
              wallet,
              new TxBuilder()
                  .spend(coin.outPoint())
                  .pay(coin.value() - 500, Bytes.ofHex("51"))
                  .build());
      final int then = proxy.visits().size();
      BroadcastReport report =
          wallet
              .payments()
              .broadcast(
                  sweep,
                  through.ifFast(fast -> fast.verify(1)).preset(Preset.Kind.PRIVATE),
                  SyncListener.NONE);
      assertThat(report.fetchedBy()).containsExactly(plain.at());
      assertThat(third.mempool().transaction(sweep.txid())).isNotNull();
      assertThat(first.mempool().transaction(sweep.txid())).isNull();
      assertThat(hosts(proxy, then)).contains(plain.name()).doesNotContain(one.name(), two.name());
      assertThat(lookedUp).as("looked up beside the proxy").isEmpty();

      // Without a proxy no peer is there: no onion is called, looked up or forgotten.
      final int calls = proxy.visits().size();
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class, () -> wallet.sync(around, SyncListener.NONE));
      assertThat(failure.search().orElseThrow().known()).isZero();
      assertThat(failure.search().orElseThrow().called()).isZero();
      assertThat(lookedUp).isNotEmpty().allMatch(name -> name.endsWith("seed.example"));
      assertThat(proxy.visits()).hasSize(calls);
      assertThat(wallet.privacy().peerBook().onion()).isEqualTo(3);
    }
  }

  private static Set<String> hosts(SocksProxy proxy, int from) {
    List<SocksProxy.Visit> visits = proxy.visits();
    Set<String> hosts = new HashSet<>();
    visits.subList(from, visits.size()).forEach(visit -> hosts.add(visit.host()));
    return hosts;
  }

  @Test
  void aHiddenSeedNodeNeedsAProxy() throws Exception {
    try (SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      WalletException failure =
          catchThrowableOfType(
              WalletException.class,
              () ->
                  wallet.sync(
                      SyncOptions.discover()
                          .peers(who -> who.discovering(Discovery.USUAL.seedNodes(ONION))),
                      SyncListener.NONE));
      assertThat(failure.kind()).isEqualTo(WalletException.Kind.BAD_INPUT);
      assertThat(failure).hasMessageContaining("proxy");
    }
  }

  /** The proxy dies during the sync; with another one the sync continues where it was. */
  @Test
  void goesOnWhenTheProxyDied() throws Exception {
    try (RegtestNode node = node();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SocksProxy proxy = SocksProxy.start(Map.of("node.example", node.port()));
      SyncListener killer =
          event -> {
            if (event instanceof SyncEvent.PeerReady) {
              proxy.close();
            }
          };
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class,
              () -> wallet.sync(through(proxy, "node.example"), killer));
      assertThat(failure.kind()).isIn(Obstacle.Kind.PROXY, Obstacle.Kind.LOST);
      try (SocksProxy next = SocksProxy.start(Map.of("node.example", node.port()))) {
        assertThat(wallet.sync(through(next, "node.example"), SyncListener.NONE).complete())
            .isTrue();
        Lives.assertTruth(wallet, node, RECIPE);
      }
    }
  }
}
