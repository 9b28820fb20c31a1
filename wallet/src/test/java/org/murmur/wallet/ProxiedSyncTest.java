package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.SocksProxy;
import org.murmur.regtest.TxBuilder;
import org.murmur.wallet.keys.ScriptType;

/** The whole way through a proxy that knows names nobody else does. */
@Timeout(120)
final class ProxiedSyncTest {

  private static final String ONION =
      "pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion";

  private static final WalletRecipe RECIPE = Lives.recipe(ScriptType.P2WPKH);
  private static final BuiltChain BUILT =
      ChainBuilder.ofSeed(5)
          .blocks(260)
          .transactionsPerBlock(5)
          .wallet(Lives.lively(RECIPE, 60))
          .build();

  @TempDir Path folder = Path.of("");

  private static RegtestNode node() {
    return RegtestNode.start(BUILT.chain().copy());
  }

  private static SyncOptions through(SocksProxy proxy, String... peers) {
    return SyncOptions.connect(peers)
        .mempoolWait(Duration.ofSeconds(2))
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
              SyncOptions.connect(node.address()).mempoolWait(Duration.ofSeconds(2)),
              SyncListener.NONE);
      assertThat(report.complete()).isTrue();
      assertThat(report.tip()).isEqualTo(expected.tip());
      assertThat(report.balance()).isEqualTo(expected.balance());
      assertThat(wallet.history()).isEqualTo(direct.history());
      assertThat(wallet.coins()).isEqualTo(direct.coins());
      Lives.assertTruth(wallet, node, RECIPE);
      assertThat(proxy.visits()).hasSize(1);
      assertThat(peer).startsWith(proxy.visits().get(0).host());
    }
  }

  @Test
  void everyConnectionIsSomebodyElse() throws Exception {
    try (RegtestNode one = node();
        RegtestNode two = node();
        SocksProxy proxy =
            SocksProxy.start(Map.of("a.example", one.port(), "b.example", two.port()));
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncOptions options = through(proxy, "a.example", "b.example").verify(2);
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
      Coin coin = wallet.coins().stream().filter(c -> !c.immature()).findFirst().orElseThrow();
      Tx sweep =
          new TxBuilder().spend(coin.outPoint()).pay(coin.value() - 500, Bytes.ofHex("51")).build();
      BroadcastReport report = wallet.broadcast(sweep, options, SyncListener.NONE);
      assertThat(report.takenBy()).hasSize(1);
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
      assertThat(failure.kind()).isEqualTo(SyncEvent.NoUsablePeer.Kind.UNREACHABLE);
      assertThat(failure)
          .hasMessageContaining("localhost:18444: host unreachable, says the proxy (for a proxy")
          .hasMessageContaining("10.1.2.3:18444: host unreachable, says the proxy");
    }
  }

  /** The node listens and would answer whoever called it directly. */
  @Test
  void withoutItsProxyNobodyIsCalled() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (RegtestNode node = node();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SyncOptions options = SyncOptions.connect(node.address()).proxy(new Proxy("127.0.0.1", port));
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class, () -> wallet.sync(options, SyncListener.NONE));
      assertThat(failure.kind()).isEqualTo(SyncEvent.NoUsablePeer.Kind.PROXY);
      assertThat(failure)
          .hasMessageContaining(
              "the proxy 127.0.0.1:" + port + " cannot be reached: connection refused");
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

  /** The seeds are called by name, where they answer as nodes: nothing is looked up here. */
  @Test
  void findsPeersThroughTheProxyOnly() throws Exception {
    WalletRecipe recipe =
        WalletRecipe.ofMnemonic(Network.TESTNET4, Lives.WORDS, "", List.of(ScriptType.P2WPKH), 0);
    try (SocksProxy proxy = SocksProxy.start(Map.of());
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), recipe)) {
      SyncOptions options = SyncOptions.discover().proxy(new Proxy("127.0.0.1", proxy.port()));
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class, () -> wallet.sync(options, SyncListener.NONE));
      assertThat(failure.report().complete()).isFalse();
      assertThat(proxy.visits())
          .isNotEmpty()
          .allMatch(visit -> Network.TESTNET4.dnsSeeds().stream().anyMatch(visit.host()::endsWith));
    }
  }

  /** The proxy dies in mid-sync; with another one the sync goes on where it was. */
  @Test
  void goesOnWhenTheProxyDied() throws Exception {
    try (RegtestNode node = node();
        SpvWallet wallet = SpvWallet.create(folder.resolve("w"), RECIPE)) {
      SocksProxy proxy = SocksProxy.start(Map.of("node.example", node.port()));
      SyncListener killer =
          event -> {
            if (event instanceof WalletEvent.PeerReady) {
              proxy.close();
            }
          };
      NoUsablePeerException failure =
          catchThrowableOfType(
              NoUsablePeerException.class,
              () -> wallet.sync(through(proxy, "node.example"), killer));
      assertThat(failure.kind())
          .isIn(SyncEvent.NoUsablePeer.Kind.PROXY, SyncEvent.NoUsablePeer.Kind.LOST);
      try (SocksProxy next = SocksProxy.start(Map.of("node.example", node.port()))) {
        assertThat(wallet.sync(through(next, "node.example"), SyncListener.NONE).complete())
            .isTrue();
        Lives.assertTruth(wallet, node, RECIPE);
      }
    }
  }
}
