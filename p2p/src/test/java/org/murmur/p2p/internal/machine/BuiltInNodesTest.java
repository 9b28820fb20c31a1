package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.machine.PeerFinderTest.Internet;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncFact;

/** Built-in nodes are asked for addresses when nothing else helps, and for nothing else. */
final class BuiltInNodesTest {

  private static final int MAX_ASKED = 16;

  private static SyncSettings settings(long seed, List<NodeAddress> builtIn) {
    return SyncSettings.of(List.of(), seed)
        .peers(
            who ->
                who.connections(3)
                    .discovering(
                        new Discovery(
                            Optional.of(List.of(PeerFinderTest.SEED)),
                            List.of(),
                            Optional.of(Scope.INTERNET),
                            PeerFinderTest.PORT,
                            Optional.of(builtIn))));
  }

  private static List<Message> sentTo(Internet net, NodeAddress address) {
    return net.world.sends.stream()
        .filter(send -> send.link().address().equals(address))
        .map(Output.Send::message)
        .toList();
  }

  /** Nobody announces it, so it gets no filter, though it serves them: it is asked and released. */
  @Test
  void leadsToPeersWhenNoSeedAnswers() {
    Internet net = Internet.of(1, 4, 4);
    NodeAddress builtIn = net.filtering.remove(0);
    net.gossip(7);
    assertThat(net.world.run(settings(1, List.of(builtIn)))).isTrue();
    net.isComplete();
    assertThat(net.world.lookedUp).hasSize(3);
    assertThat(net.world.called.get(0)).isEqualTo(builtIn);
    assertThat(net.world.called).containsOnlyOnce(builtIn);
    assertThat(net.filtering).containsAll(net.shownFilters());
    assertThat(sentTo(net, builtIn))
        .hasOnlyElementsOfTypes(
            Message.Version.class,
            Message.SendAddrV2.class,
            Message.Verack.class,
            Message.GetAddr.class)
        .hasAtLeastOneElementOfType(Message.GetAddr.class);
    assertThat(net.wallet.addresses).doesNotContainKey(builtIn.endpoint().orElseThrow());
  }

  /** Sources that help, before them. */
  private enum Source {
    DNS,
    TABLE,
    OTHER_NODES
  }

  @ParameterizedTest
  @EnumSource
  void isNotAskedIfAnotherSourceHelps(Source source) {
    Internet net = Internet.whereAllAreKnown(2, 4, 4);
    if (source == Source.TABLE) {
      assertThat(net.world.run(settings(2, List.of()))).isTrue();
      net.world.names.clear();
      net.world.called.clear();
      net.first.mine(List.of());
    } else if (source == Source.OTHER_NODES) {
      net.world.names.clear();
      net.world.names.put(PeerFinderTest.SEED, List.of(net.plain.get(1)));
    }
    NodeAddress builtIn = net.addDead();
    assertThat(net.world.run(settings(3, List.of(builtIn)))).isTrue();
    net.isComplete();
    assertThat(net.world.called).doesNotContain(builtIn);
  }

  /** Hundreds of addresses of former sessions, and none answers any more. */
  @Test
  void isAskedBeforeAStaleTableIsTriedToItsEnd() {
    Internet net = Internet.of(4, 3, 4);
    net.gossip(7);
    NodeAddress builtIn = net.plain.get(0);
    net.world.names.put(
        PeerFinderTest.SEED, List.of(net.addDead(), net.addDead(), net.addDead(), net.addDead()));
    for (int i = 0; i < 100; i++) {
      net.world.names.merge(
          PeerFinderTest.SEED,
          List.of(net.addDead()),
          (one, other) -> {
            List<NodeAddress> both = new ArrayList<>(one);
            both.addAll(other);
            return both;
          });
    }
    assertThat(net.world.run(settings(4, List.of(builtIn)))).isTrue();
    net.isComplete();
    assertThat(net.world.called.indexOf(builtIn)).isBetween(1, 60);
  }

  @Test
  void theMessageCountsThoseThatWereAskedInVain() {
    Internet net = Internet.of(5, 0, 0);
    List<NodeAddress> dead = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      dead.add(net.addDead());
    }
    dead.add(
        new NodeAddress(
            "2uqd5pbaxn26o7fl7nqtm2khetqocislppxtxrpqg55wtbcqdrf2y5qd.onion", PeerFinderTest.PORT));
    assertThat(net.world.run(settings(5, dead))).isTrue();
    SyncFact.NoUsablePeer none = net.noUsablePeer();
    assertThat(none.kind()).isEqualTo(Obstacle.Kind.UNREACHABLE);
    assertThat(none.detail())
        .contains("0 addresses known, 16 called, 0 reached")
        .contains("0 of 1 DNS seed answered, 16 built-in nodes asked, 0 peers sent addresses");
    assertThat(net.world.called).hasSize(MAX_ASKED).doesNotHaveDuplicates();
    assertThat(dead.subList(0, 40)).as("no onion address").containsAll(net.world.called);
    assertThat(net.world.events).contains(new SyncFact.PeerSearch(0, 16, 0, 0, 0, 1, 0, 16, 0));
  }

  /** The order is the seed's: the same session calls the same, others call others first. */
  @Test
  void areAskedInRandomOrder() {
    Set<NodeAddress> first = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      List<List<NodeAddress>> called = new ArrayList<>();
      for (int time = 0; time < 2; time++) {
        Internet net = Internet.of(6, 0, 0);
        List<NodeAddress> dead = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          dead.add(net.addDead());
        }
        assertThat(net.world.run(settings(seed, dead))).isTrue();
        called.add(List.copyOf(net.world.called));
      }
      assertThat(called.get(0)).isEqualTo(called.get(1));
      first.add(called.get(0).get(0));
    }
    assertThat(first).hasSizeGreaterThan(4);
  }

  /** Some announce a thousand addresses without a node, others each other, or nothing. */
  @Test
  void someAreLiars() {
    for (int seed = 0; seed < 40; seed++) {
      Internet net = Internet.of(seed, 4, 6);
      net.gossip(10);
      List<NodeAddress> builtIn = new ArrayList<>(net.plain.subList(0, 1));
      for (int i = 0; i < 5; i++) {
        SimulatedNode liar = net.node(net.add(net.liars, PeerFinderTest.BLOOM));
        builtIn.add(net.liars.get(i));
        switch (i) {
          case 0 -> liar.knows = net.madeUp(seed);
          case 1 -> liar.mute = true;
          case 2 -> liar.knows = List.of(net.told(net.liars.get(0)), net.told(net.liars.get(1)));
          case 3 -> liar.omits = tx -> true;
          default -> liar.headersServed = (ask, honest) -> Headers.NONE;
        }
      }
      List<NodeAddress> unannounced = List.copyOf(net.liars.subList(2, 5));
      builtIn.add(net.addDead());
      assertThat(net.world.run(settings(seed, builtIn))).isTrue();
      net.isComplete();
      // Nobody announces the last ones, so they never become peers, whatever they serve.
      assertThat(net.shownFilters()).as("seed " + seed).doesNotContainAnyElementsOf(unannounced);
    }
  }

  /** Forty nodes, dead ones and liars, a poisoner among them, that are in part built in, too. */
  @Test
  void anyInternetWithoutDnsIsEnteredThroughThem() {
    long seeds = Long.getLong("murmur.seeds", 60);
    for (long seed = 0; seed < seeds; seed++) {
      Internet net = PeerFinderTest.forty(seed);
      net.world.names.clear();
      List<NodeAddress> builtIn = new ArrayList<>(net.dead);
      builtIn.addAll(net.liars);
      builtIn.addAll(net.plain.subList(0, 1 + (int) seed % 3));
      assertThat(net.world.run(settings(seed, builtIn))).as("seed " + seed).isTrue();
      assertThat(net.world.events)
          .as("seed " + seed)
          .contains(new SyncFact.Complete(net.first.chain.height(), net.first.chain.tip()));
      assertThat(net.world.elapsed()).as("seed " + seed).isLessThan(Duration.ofMinutes(10));
      net.world.unreachable.addAll(net.everybody());
      net.wallet.addresses.clear();
      net.world.events.clear();
      assertThat(net.world.run(settings(seed, builtIn))).as("seed " + seed).isTrue();
      assertThat(net.noUsablePeer().kind()).isEqualTo(Obstacle.Kind.UNREACHABLE);
      assertThat(net.noUsablePeer().detail())
          .contains(
              "0 of 1 DNS seed answered, "
                  + Math.min(16, builtIn.size())
                  + " built-in nodes asked");
    }
  }

  /** The lists of the networks: real addresses of the usual port, and none twice. */
  @Test
  void eachListHasAddressesThatCanBeCalled() {
    Scope reach = Scope.INTERNET.withOnion(true);
    for (ChainParams network : ChainParams.all()) {
      List<NodeAddress> entries = Discovery.USUAL.at(network, true).entries();
      assertThat(entries)
          .doesNotHaveDuplicates()
          .allMatch(node -> node.endpoint().filter(reach::accepts).isPresent())
          .allMatch(node -> node.port() == network.defaultPort());
      boolean listed = List.of(ChainParams.SIGNET, ChainParams.TESTNET4).contains(network);
      assertThat(entries.isEmpty()).as(network.name()).isEqualTo(!listed);
    }
    assertThat(Discovery.USUAL.at(ChainParams.SIGNET, true).entries()).hasSize(50);
    assertThat(Discovery.USUAL.at(ChainParams.TESTNET4, true).entries()).hasSize(73);
  }

  /** Own seeds stand for an own network, or a user who wants no other source. */
  @Test
  void areNotAskedWithOtherSeeds() {
    ChainParams signet = ChainParams.SIGNET;
    assertThat(Discovery.USUAL.dnsSeeds(List.of()).at(signet, false).entries()).isEmpty();
    ChainParams own = ChainParams.signet(Bytes.ofHex("51"));
    assertThat(Discovery.USUAL.at(own, false).entries()).isEmpty();
    assertThat(Discovery.USUAL.entryNodes("1.2.3.4", "5.6.7.8:9").at(own, false).entries())
        .containsExactly(new NodeAddress("1.2.3.4", 38333), new NodeAddress("5.6.7.8", 9));
  }

  @Test
  void theMessageCountsNodesWithFiltersOfBlocks() {
    Internet net = Internet.of(8, 0, 4);
    net.gossip(4);
    net.node(net.plain.get(1)).services |= Services.COMPACT_FILTERS;
    net.node(net.plain.get(3)).services |= Services.COMPACT_FILTERS;
    assertThat(net.world.run(settings(8, net.plain.subList(0, 1)))).isTrue();
    SyncFact.NoUsablePeer none = net.noUsablePeer();
    assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_BLOOM);
    assertThat(none.detail()).contains("0 of these with NODE_BLOOM, 2 with NODE_COMPACT_FILTERS");
  }
}
