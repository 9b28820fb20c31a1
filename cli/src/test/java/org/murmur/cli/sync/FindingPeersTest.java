package org.murmur.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.OnionAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.node.Behaviour;
import org.murmur.testbed.proxy.SocksProxy;

/** Syncs without {@code --connect}, each node in a network group of its own. */
@Timeout(120)
class FindingPeersTest extends RestoredWallet {

  private static final int FIRST = 2 + new Random().nextInt(200);

  private final List<RegtestNode> nodes = new ArrayList<>();

  private RegtestNode add(Behaviour behaviour) {
    String address = "127." + (100 + nodes.size()) + "." + FIRST + ".1";
    RegtestNode node = RegtestNode.start(lived().chain().copy(), behaviour, address, 0);
    nodes.add(node);
    return node;
  }

  private static NetworkAddress told(RegtestNode node, long services) {
    Endpoint endpoint = Endpoint.parse(node.host(), node.port()).orElseThrow();
    return new NetworkAddress(
        Instant.now().getEpochSecond(),
        services,
        endpoint.network(),
        endpoint.address(),
        endpoint.port());
  }

  private void close() {
    nodes.forEach(RegtestNode::close);
  }

  @Test
  void onRegtestItTakesConnectOrASeedNode() {
    Ran ran = murmur("sync").exits(ExitCode.USAGE);
    assertThat(ran.err()).contains("--connect", "--seed-node", "regtest");
    murmur("sync", "--connect", "127.0.0.1", "--seed-node", "127.0.0.1").exits(ExitCode.USAGE);
  }

  @Test
  void theEnvironmentNamesUsualPeersAndOptionsComeFirst() {
    try (RegtestNode one = node();
        RegtestNode two = node();
        RegtestNode other = node()) {
      Ran.With usual =
          here().environment("MURMUR_CONNECT", " " + one.address() + ", " + two.address() + " ");
      assertThat(peers(usual.murmur("sync", "--mempool-wait", "0", "--json")))
          .containsExactlyInAnyOrder(one.address(), two.address());
      Ran named =
          usual.murmur("sync", "--mempool-wait", "0", "--json", "--connect", other.address());
      assertThat(peers(named)).containsExactly(other.address());
      Ran wrong = here().environment("MURMUR_CONNECT", "a b:c").murmur("sync");
      assertThat(wrong.exits(ExitCode.USAGE).err()).contains("MURMUR_CONNECT");
    }
  }

  private static List<String> peers(Ran ran) {
    List<String> addresses = new ArrayList<>();
    ran.exits(ExitCode.DONE)
        .json()
        .get("peers")
        .forEach(peer -> addresses.add(peer.get("address").asText()));
    return addresses;
  }

  @Test
  void aSeedNodeLeadsToTheOthersAndPeersListsThem() {
    RegtestNode seed = add(Behaviour.honest().withoutBloom());
    List<NetworkAddress> known = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      known.add(told(add(Behaviour.honest()), Services.NETWORK | Services.BLOOM));
    }
    known.add(told(seed, Services.NETWORK));
    seed.tellOf(known);
    try {
      JsonNode sync =
          murmur("sync", "--seed-node", seed.address(), "--mempool-wait", "0", "--json")
              .exits(ExitCode.DONE)
              .json();
      assertThat(sync.get("complete").asBoolean()).isTrue();
      // The table is there now.
      murmur("sync", "--seed-node", seed.address(), "--mempool-wait", "0").exits(ExitCode.DONE);
      JsonNode peers = murmur("peers", "--json").exits(ExitCode.DONE).json();
      assertThat(peers.get("addresses").get("known").asInt()).isEqualTo(5);
      assertThat(peers.get("addresses").get("bloom").asInt()).isEqualTo(4);
      assertThat(peers.get("addresses").get("groups").asInt()).isEqualTo(5);
      assertThat(peers.get("peers").size()).isGreaterThanOrEqualTo(4);
      for (JsonNode peer : peers.get("peers")) {
        assertThat(peer.get("group").asText()).endsWith(".0.0/16");
        assertThat(peer.get("banned_until").isNull()).isTrue();
      }
      assertThat(murmur("peers").exits(ExitCode.DONE).out())
          .contains("5 known addresses, in 5 network groups");
    } finally {
      close();
    }
  }

  /** Behind a proxy the seed node announces an onion address, and `peers` shows it. */
  @Test
  void peersShowsOnionsAndNoneIsCalledWithoutAProxy() {
    RegtestNode seed = add(Behaviour.honest().withoutBloom());
    RegtestNode hidden = RegtestNode.start(lived().chain().copy());
    nodes.add(hidden);
    byte[] key = new byte[32];
    key[7] = 7;
    String onion = OnionAddress.text(Bytes.wrap(key));
    int port = ChainParams.REGTEST.defaultPort();
    seed.tellOf(
        List.of(
            told(seed, Services.NETWORK),
            new NetworkAddress(
                Instant.now().getEpochSecond(),
                Services.NETWORK | Services.BLOOM,
                NetworkAddress.TORV3,
                Bytes.wrap(key),
                port)));
    try (SocksProxy proxy = SocksProxy.start(Map.of(onion, hidden.port()))) {
      murmur(
              "sync",
              "--proxy",
              proxy.address(),
              "--seed-node",
              seed.address(),
              "--mempool-wait",
              "0")
          .exits(ExitCode.DONE);
      JsonNode peers = murmur("peers", "--json").exits(ExitCode.DONE).json();
      assertThat(peers.get("addresses").get("onion").asInt()).isEqualTo(1);
      assertThat(peers.get("peers").findValuesAsText("address")).contains(onion + ":" + port);
      assertThat(murmur("peers").exits(ExitCode.DONE).out())
          .contains(onion, "group onion 0…", "; 1 onion addresses, used through a proxy only");
      final int visits = proxy.visits().size();
      murmur("sync", "--seed-node", seed.address()).exits(ExitCode.NO_USABLE_PEER);
      assertThat(proxy.visits()).hasSize(visits);
      assertThat(murmur("sync", "--seed-node", onion).exits(ExitCode.USAGE).err())
          .contains("--seed-node " + onion, "--proxy");
    } finally {
      close();
    }
  }

  @Test
  void withoutServingPeersItReportsTheSearch() {
    RegtestNode seed = add(Behaviour.honest().withoutBloom());
    seed.tellOf(
        List.of(
            told(seed, Services.NETWORK),
            told(add(Behaviour.honest().withoutBloom()), Services.NETWORK)));
    try {
      JsonNode error =
          murmur("sync", "--seed-node", seed.address(), "--json")
              .exits(ExitCode.NO_USABLE_PEER)
              .json()
              .get("error");
      assertThat(error.get("kind").asText()).isEqualTo("no_usable_peer");
      assertThat(error.get("message").asText())
          .contains("2 addresses known, 2 called, 2 reached, 0 of these with NODE_BLOOM")
          .contains("--seed-node", "peerbloomfilters=1");
      assertThat(error.get("search").get("reached").asInt()).isEqualTo(2);
      assertThat(error.get("search").get("bloom").asInt()).isZero();
    } finally {
      close();
    }
  }
}
