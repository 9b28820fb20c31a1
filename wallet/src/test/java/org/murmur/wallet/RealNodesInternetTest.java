package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.keys.OutputType;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.OnionAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.sync.Discovery;
import org.murmur.regtest.BuiltChain;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.lies.Ignores;
import org.murmur.regtest.lies.Injects;
import org.murmur.regtest.lies.StallsAfter;
import org.murmur.regtest.lies.WrongProofs;
import org.murmur.regtest.node.Behaviour;
import org.murmur.testbed.bitcoind.Bitcoind;
import org.murmur.testbed.bitcoind.ExpectedWallet;
import org.murmur.testbed.bitcoind.WalletLife;
import org.murmur.testbed.proxy.SocksProxy;
import org.murmur.wallet.sync.SyncListener;
import org.murmur.wallet.sync.SyncOptions;
import org.murmur.wallet.sync.SyncReport;

/**
 * Two real nodes among the forty of the fake internet: one that serves BIP-0037, and one that does
 * not and is asked for addresses. Their own wallet says what must be found.
 */
@Tag("real-node")
@Timeout(600)
final class RealNodesInternetTest {

  private static final WalletRecipe RECIPE = Lives.recipe(OutputType.P2WPKH).withLookAhead(200);

  @TempDir Path folder = Path.of("");

  /** A node at an address of the fake internet, without permissions for any peer. */
  private static Bitcoind real(String address, boolean bloom) {
    Bitcoind.Setup setup =
        Bitcoind.setup()
            .withoutPermissions()
            .arguments("-bind=" + address + ":" + FakeInternet.PORT);
    return (bloom ? setup : setup.withoutBloom()).start();
  }

  private static long services(Bitcoind node) {
    return Long.parseLong(node.rpc().call("getnetworkinfo").get("localservices").asText(), 16);
  }

  private static KnownPeer known(SpvWallet wallet, String address) {
    NodeAddress at = new NodeAddress(address, FakeInternet.PORT);
    return wallet.privacy().peerBook().met().stream()
        .filter(peer -> peer.address().equals(at))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Three serve filters honestly, and three must serve each block: so the real one must have served
   * them all. The liars cannot do that.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theOneThatServesIsFoundAndSyncedFrom(boolean byDns) throws Exception {
    try (FakeInternet net = new FakeInternet(byDns ? 71 : 72)) {
      String serving = net.address();
      String plain = net.address();
      net.filtering.add(serving);
      net.plain.add(plain);
      try (Bitcoind node = real(serving, true);
          Bitcoind other = real(plain, false)) {
        WalletLife life = WalletLife.begin(node, WalletLife.Options.of(7));
        life.live(40);
        life.settle();
        node.mine(1); // pending transactions too
        final ExpectedWallet expected = life.expected();
        Chain chain = Oracle.chain(node);
        for (int height = 1; height <= chain.height(); height++) {
          JsonNode taken = other.rpc().call("submitblock", chain.blockAt(height).raw().toHex());
          assertThat(taken.isNull()).isTrue();
        }
        List<Hash256> payments =
            expected.transactions().stream().map(tx -> Hash256.ofDisplay(tx.txid())).toList();
        net.fill(
            chain,
            3,
            List.of(
                FakeInternet.omitting(payments),
                Behaviour.honest().with(new WrongProofs(), 0.5),
                Behaviour.honest().with(new Injects(0.5)),
                Behaviour.honest().with(Ignores.BLOCKS),
                Behaviour.honest().with(new StallsAfter(20))));
        if (byDns) {
          net.dns.names.put(
              "x5." + FakeInternet.SEED,
              List.of(net.dead.get(0), serving, net.filtering.get(1), net.filtering.get(2)));
        } else {
          String first = net.plain.get(1);
          net.dns.names.put(FakeInternet.SEED, List.of(first));
          net.tell(net.node(first), List.of(serving, net.plain.get(2), net.liars.get(0)));
        }
        Path file = folder.resolve("wallet.sqlite");
        SyncReport report;
        try (SpvWallet wallet = SpvWallet.create(file, Oracle.recipe(life.words()))) {
          report =
              wallet.sync(
                  // A third honest one may be found only after the stalling ones were dropped.
                  net.options()
                      .limits(limits -> limits.time(Duration.ofMinutes(8)))
                      .ifFast(fast -> fast.verify(3))
                      .peers(
                          who ->
                              who.discovering(
                                  who.discovery()
                                      .orElseThrow()
                                      .seedNodes(plain + ":" + FakeInternet.PORT))),
                  event -> {});
          assertThat(known(wallet, serving).services())
              .isEqualTo(services(node))
              .matches(bits -> Services.has(bits, Services.BLOOM));
          assertThat(known(wallet, plain).services())
              .isEqualTo(services(other))
              .matches(bits -> !Services.has(bits, Services.BLOOM));
        }
        assertThat(report.seenBy()).as(report.toString()).isEqualTo(3);
        assertThat(report.peers())
            .filteredOn(peer -> peer.address().host().equals(serving))
            .singleElement()
            .satisfies(peer -> assertThat(peer.userAgent()).startsWith("/Satoshi:"))
            .satisfies(peer -> assertThat(peer.blocks()).isGreaterThanOrEqualTo(expected.height()));
        Oracle.assertSame("seed 7", file, report, expected);
      }
    }
  }

  private static boolean isSelf(String host) {
    return host.equals("127.0.0.1");
  }

  /**
   * A real node without filters knows forty onion addresses, and announces some in addrv2. They all
   * lead to one node that serves filters, through the proxy.
   */
  @Test
  void addressesOfARealNodeLeadThroughTheProxyToAServingOne() throws Exception {
    BuiltChain built =
        ChainBuilder.ofSeed(5)
            .blocks(200)
            .transactionsPerBlock(4)
            .wallet(Lives.lively(RECIPE, 60))
            .build();
    try (Bitcoind node = Bitcoind.setup().withoutBloom().withoutPermissions().start();
        RegtestNode serving = RegtestNode.start(built.chain())) {
      Map<String, Integer> names = new HashMap<>();
      Random random = new Random(73);
      while (names.size() < 40) {
        byte[] key = new byte[32];
        random.nextBytes(key);
        String onion = OnionAddress.text(Bytes.wrap(key));
        names.put(onion, serving.port());
        node.rpc().call("addpeeraddress", onion, ChainParams.REGTEST.defaultPort());
      }
      try (SocksProxy proxy = SocksProxy.start(names);
          SpvWallet wallet = SpvWallet.create(folder.resolve("onion.sqlite"), RECIPE)) {
        SyncReport report =
            wallet.sync(
                SyncOptions.discover()
                    .peers(
                        who ->
                            who.discovering(
                                Discovery.USUAL
                                    .dnsSeeds(List.of())
                                    .seedNodes("127.0.0.1:" + node.p2pPort())))
                    .proxy(new Proxy("127.0.0.1", proxy.port()))
                    .limits(
                        limits -> limits.mempoolWait(Duration.ZERO).time(Duration.ofMinutes(3))),
                SyncListener.NONE);
        assertThat(report.complete()).as(report.toString()).isTrue();
        Lives.assertTruth(wallet, serving, RECIPE);
        assertThat(proxy.visits().get(0).host()).isEqualTo("127.0.0.1");
        assertThat(proxy.visits())
            .anyMatch(visit -> names.containsKey(visit.host()))
            .allMatch(visit -> names.containsKey(visit.host()) || isSelf(visit.host()));
        // Core sends 23 of a hundred that it knows.
        assertThat(wallet.privacy().peerBook().onion()).isBetween(5, 9);
        assertThat(wallet.privacy().peerBook().met())
            .filteredOn(peer -> names.containsKey(peer.address().host()))
            .isNotEmpty()
            .allMatch(peer -> Services.has(peer.services(), Services.BLOOM));
      }
    }
  }
}
