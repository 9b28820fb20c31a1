package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** Syncs without a named peer, in a simulated internet. */
class PeerFinderTest {

  private static final long PLAIN = Services.NETWORK | Services.WITNESS;
  static final long BLOOM = PLAIN | Services.BLOOM;
  static final int PORT = 18444;
  static final String SEED = "seed.example";

  /** Maximum number of connection attempts at a time. */
  private static final int MAX_CALLS = 32;

  /** Maximum number of look-ups at a time. */
  private static final int MAX_LOOK_UPS = 8;

  /** An internet: nodes of one chain, each of its own group. */
  static final class Internet {
    final Random random;
    final SimulatedWallet wallet = SimulatedWallet.ofEpochs(5, 50);
    final Payments payments = new Payments();
    final SimulatedWorld world;
    final SimulatedNode first = new SimulatedNode();
    final List<NodeAddress> filtering = new ArrayList<>();
    final List<NodeAddress> plain = new ArrayList<>();
    final List<NodeAddress> dead = new ArrayList<>();
    final List<NodeAddress> liars = new ArrayList<>();
    private int groups;

    Internet(long seed) {
      this.random = new Random(seed);
      this.world = new SimulatedWorld(seed, wallet);
      first.mine(List.of());
      first.mine(List.of(payments.pay(1), payments.pay(2)));
      for (int i = 0; i < 40; i++) {
        first.mine(i == 20 ? List.of(payments.pay(3)) : List.of());
      }
    }

    /** This many that serve filters, and this many that do not. */
    static Internet of(long seed, int filtering, int plain) {
      Internet net = new Internet(seed);
      for (int i = 0; i < filtering; i++) {
        net.add(net.filtering, BLOOM);
      }
      for (int i = 0; i < plain; i++) {
        net.add(net.plain, PLAIN);
      }
      return net;
    }

    /** The same, and all are announced: those that filter by DNS, all of them by every node. */
    static Internet whereAllAreKnown(long seed, int filtering, int plain) {
      Internet net = of(seed, filtering, plain);
      net.world.names.put("x5." + SEED, List.copyOf(net.filtering));
      net.gossip(filtering + plain);
      return net;
    }

    NodeAddress address() {
      groups++;
      return new NodeAddress("20." + groups + ".3.4", PORT);
    }

    NodeAddress add(List<NodeAddress> kind, long services) {
      SimulatedNode node = kind.isEmpty() && kind == filtering ? first : first.twin();
      node.services = services;
      NodeAddress address = world.add(node, address());
      kind.add(address);
      return address;
    }

    /** Many of one group, which could have one operator, and few of others. */
    static Internet ofAPersonWithManyAddresses(long seed) {
      Internet net = of(seed, 2, 2);
      for (int i = 1; i <= 4; i++) {
        net.add(net.filtering, BLOOM, "30.30.1." + i);
        net.add(net.plain, PLAIN, "30.30.2." + i);
      }
      net.world.names.put("x5." + SEED, List.copyOf(net.filtering));
      net.gossip(12);
      return net;
    }

    void add(List<NodeAddress> kind, long services, String host) {
      SimulatedNode node = first.twin();
      node.services = services;
      kind.add(world.add(node, new NodeAddress(host, PORT)));
    }

    SimulatedNode node(NodeAddress address) {
      return Objects.requireNonNull(world.nodes.get(address));
    }

    NodeAddress addDead() {
      NodeAddress address = address();
      (random.nextBoolean() ? world.unreachable : world.silent).add(address);
      dead.add(address);
      return address;
    }

    List<NodeAddress> everybody() {
      List<NodeAddress> all = new ArrayList<>(filtering);
      all.addAll(plain);
      all.addAll(dead);
      all.addAll(liars);
      Collections.shuffle(all, random);
      return all;
    }

    NetworkAddress told(NodeAddress address) {
      Endpoint endpoint = address.endpoint().orElseThrow();
      boolean filters = filtering.contains(address) || liars.contains(address);
      boolean dies = dead.contains(address);
      return new NetworkAddress(
          world.now().getEpochSecond(),
          filters || (dies && random.nextBoolean())
              ? BLOOM
              : plain.contains(address) ? node(address).services : PLAIN,
          endpoint.network(),
          endpoint.address(),
          endpoint.port());
    }

    /** Every node knows this many of the others. */
    void gossip(int each) {
      for (SimulatedNode node : new LinkedHashSet<>(world.nodes.values())) {
        List<NetworkAddress> some = new ArrayList<>();
        for (NodeAddress address : everybody().subList(0, each)) {
          some.add(told(address));
        }
        node.knows = some;
      }
    }

    SyncSettings settings(long seed) {
      return settings(seed, List.of());
    }

    SyncSettings settings(long seed, List<NodeAddress> seedNodes) {
      return SyncSettings.of(List.of(), seed)
          .peers(
              who ->
                  who.connections(3)
                      .discovering(
                          new Discovery(
                              Optional.of(List.of(SEED)),
                              seedNodes,
                              Optional.of(Scope.INTERNET),
                              PORT,
                              Optional.empty())));
    }

    /** A thousand addresses without a node, others for every number. */
    List<NetworkAddress> madeUp(int number) {
      List<NetworkAddress> junk = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        String address = (40 + number % 100) + "." + i % 250 + "." + i / 250 + ".1";
        junk.add(blooming(told(new NodeAddress(address, PORT))));
      }
      return junk;
    }

    void junk(int number) {
      world.announce(first, new Message.Addr(madeUp(number)));
    }

    List<NodeAddress> ready() {
      List<NodeAddress> ready = new ArrayList<>();
      for (SyncEvent event : world.events) {
        if (event instanceof SyncEvent.PeerReady peer) {
          ready.add(peer.address());
        }
      }
      return ready;
    }

    void isComplete() {
      assertThat(world.events)
          .contains(new SyncFact.Complete(first.chain.height(), first.chain.tip()));
      assertThat(wallet.coins).hasSize(3);
    }

    Set<NodeAddress> shownFilters() {
      Set<NodeAddress> shown = new HashSet<>();
      for (Output.Send send : world.sends) {
        if (send.message() instanceof Message.FilterLoad) {
          shown.add(send.link().address());
        }
      }
      return shown;
    }

    SyncFact.NoUsablePeer noUsablePeer() {
      for (SyncEvent event : world.events) {
        if (event instanceof SyncFact.NoUsablePeer none) {
          return none;
        }
      }
      throw new AssertionError("no such event in " + world.events);
    }
  }

  /** Where the first address may come from. */
  private enum Way {
    FILTERED_NAMES(2) {
      @Override
      List<NodeAddress> leadsInto(Internet net) {
        net.gossip(4);
        net.world.names.put("x5." + SEED, List.copyOf(net.filtering));
        return List.of();
      }
    },
    PLAIN_NAMES(3) {
      @Override
      List<NodeAddress> leadsInto(Internet net) {
        net.world.names.put(SEED, List.of(net.filtering.get(0), net.plain.get(0)));
        return List.of();
      }
    },
    GOSSIP(3) {
      @Override
      List<NodeAddress> leadsInto(Internet net) {
        net.world.names.put(SEED, List.of(net.plain.get(0)));
        net.node(net.plain.get(0)).knows =
            List.of(net.told(net.plain.get(3)), net.told(net.plain.get(2)));
        net.node(net.plain.get(3)).knows =
            List.of(net.told(net.plain.get(1)), net.told(net.filtering.get(0)));
        return List.of();
      }
    },
    SEED_NODES(0) {
      @Override
      List<NodeAddress> leadsInto(Internet net) {
        NodeAddress seedNode = net.plain.get(0);
        net.node(seedNode).knows = List.of(net.told(net.filtering.get(0)), net.told(seedNode));
        return List.of(seedNode);
      }
    };

    // How many of the seed's names are looked up on the way.
    final int names;

    Way(int names) {
      this.names = names;
    }

    /** Returns the seed nodes. */
    abstract List<NodeAddress> leadsInto(Internet net);
  }

  /**
   * Each source is asked only if those before it were not enough, and only nodes that serve get a
   * filter.
   */
  @ParameterizedTest
  @EnumSource
  void findsServingPeersAndSyncs(Way way) {
    Internet net = Internet.of(1, 4, 4);
    List<NodeAddress> seedNodes = way.leadsInto(net);
    assertThat(net.world.run(net.settings(1, seedNodes))).isTrue();
    net.isComplete();
    assertThat(net.world.lookedUp)
        .isEqualTo(List.of("x5." + SEED, "xd." + SEED, SEED).subList(0, way.names));
    assertThat(net.filtering).containsAll(net.shownFilters());
    assertThat(net.world.called.subList(0, seedNodes.size())).isEqualTo(seedNodes);
  }

  /** One more address each second, without a node: the hope for a peer must end in any case. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void addressesWithoutEndKeepNoSyncWaitingForEver(boolean anybody) {
    Internet net = Internet.of(41, 1, 1);
    NodeAddress feeder = net.plain.get(0);
    net.world.names.put(SEED, anybody ? List.of(net.filtering.get(0), feeder) : List.of(feeder));
    net.node(feeder).knows = net.madeUp(99);
    net.node(feeder)
        .knows
        .forEach(
            told ->
                net.world.silent.add(
                    NodeAddress.of(new Endpoint(told.network(), told.address(), told.port()))));
    for (int second = 1; second < 7_300; second++) {
      NodeAddress address = new NodeAddress((40 + second % 50) + "." + second / 50 + ".7.1", PORT);
      net.world.silent.add(address);
      net.world.later(
          1000L * second,
          () ->
              net.world.announce(
                  net.node(feeder), new Message.Addr(List.of(blooming(net.told(address))))));
    }
    net.world.keepsQueue = true;
    assertThat(net.world.run(net.settings(41).preset(Preset.Fast.USUAL.verify(2)))).isTrue();
    assertThat(net.world.elapsed()).isLessThan(Duration.ofMinutes(15));
    assertThat(net.world.events)
        .anyMatch(
            anybody
                ? SyncFact.TooFewCrossChecks.class::isInstance
                : SyncFact.NoUsablePeer.class::isInstance);
  }

  /** Like a Core node without addresses: it sends its version message, but no addresses. */
  @Test
  void aSilentSeedNodeDelaysTheSyncOnlyBriefly() {
    Internet net = Internet.of(23, 2, 2);
    NodeAddress silent = net.plain.get(1);
    net.node(silent).mute = true;
    net.world.names.put(SEED, List.of(net.plain.get(0)));
    net.gossip(4);
    assertThat(net.world.run(net.settings(23, List.of(silent)))).isTrue();
    net.isComplete();
    assertThat(net.world.elapsed()).isLessThan(Duration.ofSeconds(60));
  }

  /** It is the first to send a version message, and has no chain. It must not be scanned. */
  @Test
  void aHeaderPeerCompletesNothing() {
    Internet net = Internet.of(24, 1, 0);
    NodeAddress behind = net.world.add(new SimulatedNode(), net.address());
    net.node(behind).services = PLAIN;
    net.node(behind).knows = List.of(net.told(net.filtering.get(0)));
    net.world.delays.put(net.filtering.get(0), 2_000);
    SyncSettings settings =
        net.settings(24, List.of(behind)).limits(limits -> limits.mempoolWait(Duration.ZERO));
    assertThat(net.world.run(settings)).isTrue();
    net.isComplete();
    assertThat(net.world.events).filteredOn(SyncFact.Complete.class::isInstance).hasSize(1);
  }

  @Test
  void anAnswerThatComesLateIsTaken() {
    Internet net = Internet.of(33, 2, 0);
    net.world.names.put("x5." + SEED, List.copyOf(net.filtering));
    net.world.lookUpTakes.put("x5." + SEED, 20_000);
    net.world.lookUpTakes.put(SEED, 12_000);
    assertThat(net.world.run(net.settings(33))).isTrue();
    net.isComplete();
    assertThat(net.world.lookedUp)
        .as("asked on after 15 of %s; %s", net.world.elapsed(), net.world.events)
        .contains(SEED);
  }

  @Test
  void asksFewNamesAtATimeAndEachHasItsOwnTime() {
    Internet net = Internet.of(34, 2, 0);
    List<String> seeds = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      seeds.add("seed" + i + ".example");
      net.world.lookUpTakes.put("x5.seed" + i + ".example", 40_000);
      net.world.lookUpTakes.put("xd.seed" + i + ".example", 40_000);
    }
    String last = "xd.seed11.example";
    net.world.names.put(last, List.copyOf(net.filtering));
    net.world.lookUpTakes.put(last, 14_000);
    SyncSettings settings =
        net.settings(34)
            .peers(
                who ->
                    who.discovering(
                        new Discovery(
                            Optional.of(seeds),
                            List.of(),
                            Optional.of(Scope.INTERNET),
                            PORT,
                            Optional.empty())));
    assertThat(net.world.run(settings)).isTrue();
    net.isComplete();
    assertThat(net.world.lookedUp).hasSize(24).endsWith(last);
    // Those that were given up still hang.
    assertThat(net.world.mostLookUps).isLessThanOrEqualTo(3 * MAX_LOOK_UPS);
    assertThat(net.world.elapsed()).isGreaterThan(Duration.ofSeconds(30));
  }

  @Test
  void reportsSeedsCalledThroughTheProxy() {
    Internet net = Internet.of(35, 0, 3);
    NodeAddress seedNode = new NodeAddress("node.example", PORT);
    net.world.nodes.put(seedNode, net.node(net.plain.get(0)));
    net.world.nodes.put(new NodeAddress(SEED, PORT), net.node(net.plain.get(1)));
    net.node(net.plain.get(0)).knows = List.of(net.told(net.plain.get(2)));
    assertThat(net.world.run(net.settings(35, List.of(seedNode)).proxied(true))).isTrue();
    SyncFact.NoUsablePeer none = net.noUsablePeer();
    assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_BLOOM);
    // The node, three names of the seed, and the node's announced addresses.
    assertThat(none.detail())
        .contains("1 address known, 5 called through the proxy, 3 reached, 0 of these")
        .contains("1 of 1 DNS seed answered");
    assertThat(net.world.lookedUp).isEmpty();
  }

  @Test
  void keepsTwoHeaderPeersOfOtherGroups() {
    Internet net = Internet.whereAllAreKnown(4, 5, 5);
    assertThat(net.world.run(net.settings(4))).isTrue();
    net.isComplete();
    Set<NodeAddress> headersOnly = new HashSet<>(net.ready());
    headersOnly.removeAll(net.shownFilters());
    assertThat(headersOnly).hasSizeGreaterThanOrEqualTo(2);
    Set<NetGroup> groups = new HashSet<>();
    net.ready().forEach(peer -> groups.add(NetGroup.of(peer.endpoint().orElseThrow())));
    assertThat(groups).hasSize(new HashSet<>(net.ready()).size());
    assertThat(net.world.events).noneMatch(SyncEvent.Warning.class::isInstance);
  }

  @Test
  void aSecondStartAsksNoDns() {
    Internet net = Internet.whereAllAreKnown(5, 4, 4);
    assertThat(net.world.run(net.settings(5))).isTrue();
    net.world.lookedUp.clear();
    net.world.events.clear();
    net.first.mine(List.of());
    assertThat(net.world.run(net.settings(6))).isTrue();
    net.isComplete();
    assertThat(net.world.lookedUp).isEmpty();
  }

  @Test
  void reportsTheSearchWhenNoPeerServesFilters() {
    Internet net = Internet.of(7, 0, 6);
    net.addDead();
    net.world.names.put(SEED, List.copyOf(net.plain));
    net.gossip(7);
    assertThat(net.world.run(net.settings(7))).isTrue();
    SyncFact.NoUsablePeer none = net.noUsablePeer();
    assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_BLOOM);
    assertThat(none.detail())
        .contains(
            "7 addresses known, 7 called, 6 reached, 0 of these with NODE_BLOOM, 0 with NODE_COMPACT_FILTERS; ")
        .contains("1 of 1 DNS seed answered, 6 peers sent addresses");
    assertThat(net.world.events).contains(new SyncFact.PeerSearch(7, 7, 6, 0, 0, 1, 1, 0, 6));
    assertThat(net.shownFilters()).isEmpty();
  }

  /** Until one is found, there is nobody to scan blocks from. */
  @Test
  void theProgressSaysWhoIsLookedFor() {
    Internet net = Internet.of(9, 1, 6);
    net.node(net.plain.get(2)).services |= Services.COMPACT_FILTERS;
    net.world.names.put(SEED, net.plain.subList(0, 4));
    net.node(net.plain.get(3)).knows = List.of(net.told(net.filtering.get(0)));
    net.world.delays.put(net.filtering.get(0), 5_000);
    assertThat(net.world.run(net.settings(9))).isTrue();
    net.isComplete();
    List<Optional<SyncEvent.Search>> told = new ArrayList<>();
    for (SyncEvent event : net.world.events) {
      if (event instanceof SyncEvent.Progress now) {
        told.add(now.search());
      }
    }
    assertThat(told)
        .startsWith(Optional.of(new SyncEvent.Search("NODE_BLOOM", 0, 1, 0, 0)))
        .contains(Optional.of(new SyncEvent.Search("NODE_BLOOM", 0, 1, 4, 1)));
    assertThat(told.subList(told.indexOf(Optional.empty()), told.size()))
        .containsOnly(Optional.empty());
  }

  /** A report costs nothing: the plain names are asked before all such addresses were called. */
  @Test
  void deadAddressesWithTheServiceDoNotHoldUpTheSearch() {
    Internet net = Internet.of(13, 1, 2);
    List<NodeAddress> silent = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      silent.add(net.address());
    }
    net.world.silent.addAll(silent);
    net.world.names.put("x5." + SEED, silent);
    net.world.names.put(SEED, List.of(net.plain.get(0), net.plain.get(1), net.filtering.get(0)));
    assertThat(net.world.run(net.settings(13))).isTrue();
    net.isComplete();
    assertThat(net.world.elapsed()).isLessThan(Duration.ofSeconds(45));
  }

  /** If nobody serves filters, those with filters of blocks may do, and must be known soon. */
  @ParameterizedTest
  @ValueSource(longs = {14, 15, 16, 17})
  void aSearchAsksThoseWithFiltersOfBlocksFirst(long seed) {
    Internet net = Internet.of(seed, 0, 60);
    List<NodeAddress> compact = net.plain.subList(56, 60);
    compact.forEach(address -> net.node(address).services |= Services.COMPACT_FILTERS);
    net.world.names.put(SEED, net.plain.subList(0, 3));
    net.gossip(60);
    assertThat(net.world.run(net.settings(seed))).isTrue();
    assertThat(net.noUsablePeer().kind()).isEqualTo(Obstacle.Kind.NO_BLOOM);
    assertThat(net.world.called.subList(0, 16)).containsAll(compact);
  }

  @Test
  void reportsThatNoPeerIsThere() {
    Internet net = new Internet(8);
    for (int i = 0; i < 5; i++) {
      net.addDead();
    }
    net.world.names.put("x5." + SEED, List.copyOf(net.dead));
    assertThat(net.world.run(net.settings(8))).isTrue();
    SyncFact.NoUsablePeer none = net.noUsablePeer();
    assertThat(none.kind()).isEqualTo(Obstacle.Kind.UNREACHABLE);
    assertThat(none.detail()).contains("5 addresses known, 5 called, 0 reached");
    assertThat(net.wallet.addresses.values())
        .as("perhaps it is our own network that is down")
        .allMatch(known -> known.failures() == 0);
    assertThat(net.world.elapsed()).isLessThan(Duration.ofMinutes(2));
  }

  @Test
  void saysThatNoNameWasFound() {
    Internet net = new Internet(9);
    assertThat(net.world.run(net.settings(9))).isTrue();
    assertThat(net.noUsablePeer().detail())
        .contains("0 addresses known", "0 of 1 DNS seed answered");
  }

  @Test
  void takesAnotherWhenAPeerLies() {
    Internet net = new Internet(10);
    net.add(net.filtering, BLOOM);
    for (int i = 0; i < 3; i++) {
      NodeAddress liar = net.add(net.liars, BLOOM);
      net.node(liar).headersServed = (ask, honest) -> Headers.ofStored(Bytes.wrap(new byte[80]));
    }
    List<NodeAddress> all = new ArrayList<>(net.liars);
    all.addAll(net.filtering);
    net.world.names.put("x5." + SEED, all);
    assertThat(net.world.run(net.settings(10))).isTrue();
    net.isComplete();
    assertThat(net.wallet.addresses.values())
        .filteredOn(known -> net.liars.contains(NodeAddress.of(known.endpoint())))
        .allSatisfy(known -> assertThat(known.bannedFor()).isEqualTo("BAD_HEADERS"));
  }

  @Test
  void warnsWhenAllPeersAreOfOneGroup() {
    Internet net = new Internet(11);
    for (int i = 0; i < 3; i++) {
      NodeAddress address = new NodeAddress("30.30.1." + (1 + i), PORT);
      SimulatedNode node = i == 0 ? net.first : net.first.twin();
      node.services = BLOOM;
      net.world.add(node, address);
      net.filtering.add(address);
    }
    net.world.names.put("x5." + SEED, List.copyOf(net.filtering));
    assertThat(net.world.run(net.settings(11))).isTrue();
    net.isComplete();
    assertThat(net.world.events)
        .filteredOn(SyncEvent.Warning.class::isInstance)
        .containsExactly(oneGroup(1));
    net.world.events.clear();
    net.first.mine(List.of());
    assertThat(net.world.run(net.settings(12).preset(Preset.Fast.USUAL.verify(3)))).isTrue();
    net.isComplete();
    assertThat(net.world.events)
        .filteredOn(SyncEvent.Warning.class::isInstance)
        .containsExactly(oneGroup(3));
  }

  private static SyncEvent oneGroup(int peers) {
    return new SyncWarning.OneNetworkGroup(peers, new NetGroup("30.30.0.0/16"));
  }

  /** What we leave out of a peer's announcements would tell it what we have. */
  @Test
  void aPeerWithoutAFilterIsAskedForNothing() {
    Internet net = Internet.of(12, 4, 4);
    net.world.names.put("x5." + SEED, net.everybody());
    Tx pending = net.payments.pay(4);
    net.first.mempool.put(pending.txid(), pending);
    net.world.later(
        60_000,
        () -> {
          assertThat(net.wallet.relevant).containsKey(pending.txid());
          List<InventoryItem> items = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            items.add(new InventoryItem(InventoryItem.TX, net.payments.pay(4).txid()));
          }
          items.add(new InventoryItem(InventoryItem.TX, pending.txid()));
          net.plain.forEach(peer -> net.world.announce(net.node(peer), new Message.Inv(items)));
        });
    net.world.later(90_000, () -> net.world.post(new Input.Stop()));
    net.world.keepsQueue = true;
    assertThat(net.world.run(net.settings(12).follow(true))).isTrue();
    assertThat(net.ready()).containsAnyElementsOf(net.plain);
    assertThat(net.world.sends)
        .filteredOn(send -> net.plain.contains(send.link().address()))
        .noneMatch(send -> send.message() instanceof Message.GetData);
  }

  @Test
  void aFollowingSessionWithoutPeersStaysAndFindsNewOnes() {
    Internet net = Internet.of(12, 6, 0);
    net.world.names.put("x5." + SEED, List.copyOf(net.filtering));
    SyncSettings settings = net.settings(12).follow(true);
    net.world.later(
        20_000,
        () -> {
          // Those that are connected vanish.
          for (NodeAddress peer : new HashSet<>(net.ready())) {
            net.world.unreachable.add(peer);
          }
          net.world.cutAll();
        });
    net.world.later(
        40_000,
        () -> {
          net.first.mine(List.of(net.payments.pay(4)));
          for (SimulatedNode node : new HashSet<>(net.world.nodes.values())) {
            net.world.announce(
                node,
                new Message.HeadersMessage(
                    net.first.chain.headers(
                        net.first.chain.height(), net.first.chain.height() + 1)));
          }
        });
    net.world.later(300_000, () -> net.world.post(new Input.Stop()));
    net.world.keepsQueue = true;
    assertThat(net.world.run(settings)).isTrue();
    assertThat(net.wallet.coins).hasSize(4);
    assertThat(net.world.events).noneMatch(SyncFact.NoUsablePeer.class::isInstance);
  }

  /** Announced addresses are dated by the wall clock, whatever that showed an hour ago. */
  @ParameterizedTest
  @ValueSource(ints = {-60, 2})
  void usesAnnouncedAddressesAfterTheClockWasSet(int days) {
    Internet net = new Internet(21);
    NodeAddress first = net.add(net.filtering, BLOOM);
    for (int i = 0; i < 3; i++) {
      net.addDead();
    }
    net.world.names.put("x5." + SEED, List.of(first));
    net.world.keepsQueue = true;
    net.world.limit = Duration.ofDays(3);
    net.world.later(20_000, () -> net.world.jump(Duration.ofDays(days)));
    net.world.later(
        25_000,
        () ->
            net.world.announce(
                net.first, new Message.Addr(net.dead.stream().map(net::told).toList())));
    net.world.later(30_000, () -> net.world.post(new Input.Stop()));
    assertThat(net.world.run(net.settings(21).follow(true))).isTrue();
    assertThat(net.wallet.addresses.values())
        .filteredOn(known -> net.dead.contains(NodeAddress.of(known.endpoint())))
        .hasSize(3)
        .allSatisfy(
            known ->
                assertThat(net.world.now().getEpochSecond() - known.lastSeen())
                    .isBetween(7_200L, 7_260L));
    assertThat(net.wallet.addresses.values())
        .filteredOn(known -> first.equals(NodeAddress.of(known.endpoint())))
        .allSatisfy(known -> assertThat(known.lastSuccess()).isPositive());
  }

  /** How a network, or the way to it, can be gone. */
  private enum Outage {
    REFUSED,
    SILENT,
    AT_ONCE,
    PROXY;

    void strike(Internet net, Set<NodeAddress> alive) {
      switch (this) {
        case REFUSED -> net.world.unreachable.addAll(alive);
        case SILENT -> net.world.silent.addAll(alive);
        case AT_ONCE -> net.world.failsAtOnce = true;
        default -> net.world.proxyIsDown = true;
      }
      net.world.cutAll();
    }

    static void end(Internet net) {
      net.world.unreachable.clear();
      net.world.silent.clear();
      net.world.failsAtOnce = false;
      net.world.proxyIsDown = false;
    }
  }

  /**
   * Our own network is down for hours, and shows it at once or not at all: no address suffers from
   * it, and peers are back within two minutes. Addresses that are dead while the line works are
   * detected.
   */
  @ParameterizedTest
  @EnumSource
  void noAddressSuffersForALineThatIsDown(Outage outage) {
    Internet net = Internet.whereAllAreKnown(22, 8, 8);
    NodeAddress dead = net.address();
    for (SimulatedNode node : new HashSet<>(net.world.nodes.values())) {
      List<NetworkAddress> more = new ArrayList<>(node.knows);
      more.add(blooming(net.told(dead)));
      node.knows = more;
    }
    Set<NodeAddress> alive = new HashSet<>(net.filtering);
    alive.addAll(net.plain);
    // Through a proxy seeds are called by name.
    net.world.nodes.put(new NodeAddress("x5." + SEED, PORT), net.first);
    net.world.keepsQueue = true;
    net.world.limit = Duration.ofDays(1);
    Set<Endpoint> before = new HashSet<>();
    long hour = 3_600_000;
    net.world.later(
        hour,
        () -> {
          before.addAll(net.wallet.addresses.keySet());
          outage.strike(net, alive);
          net.world.calls = 0;
          net.world.mostAtOnce = 0;
        });
    int[] there = new int[1];
    net.world.later(
        4 * hour,
        () -> {
          // At full speed all sixteen would be called once a minute.
          assertThat(net.world.calls).isBetween(180, 16 * 3 * 60);
          assertThat(net.world.mostAtOnce).isLessThanOrEqualTo(MAX_CALLS);
          there[0] = net.ready().size();
          Outage.end(net);
        });
    net.world.later(
        4 * hour + 120_000,
        () -> assertThat(net.ready().size()).isGreaterThanOrEqualTo(there[0] + 3));
    net.world.later(5 * hour, () -> net.world.post(new Input.Stop()));
    assertThat(net.world.run(net.settings(22).follow(true).proxied(outage == Outage.PROXY)))
        .isTrue();
    assertThat(before).hasSizeGreaterThanOrEqualTo(16);
    for (NodeAddress address : alive) {
      assertThat(net.wallet.addresses.get(address.endpoint().orElseThrow()))
          .as("%s, after three hours without a network", address)
          .isNotNull()
          .satisfies(known -> assertThat(known.failures()).isZero());
    }
    assertThat(net.wallet.addresses).doesNotContainKey(dead.endpoint().orElseThrow());
  }

  /** No route leads anywhere, and a thousand addresses are known: other work must go on. */
  @Test
  void callsThatFailAtOnceDoNotFollowUponEachOtherWithoutEnd() {
    Internet net = Internet.whereAllAreKnown(23, 4, 4);
    net.world.keepsQueue = true;
    net.world.later(30_000, () -> net.junk(1));
    net.world.later(
        60_000,
        () -> {
          assertThat(net.world.machine().footprint().addresses()).isGreaterThan(400);
          net.world.calls = 0;
          net.world.mostAtOnce = 0;
          net.world.failsAtOnce = true;
          net.world.cutAll();
        });
    net.world.later(3_660_000, () -> net.world.post(new Input.Stop()));
    assertThat(net.world.run(net.settings(23).follow(true))).isTrue();
    assertThat(net.world.mostAtOnce).isLessThanOrEqualTo(MAX_CALLS);
    assertThat(net.world.calls).isBetween(60, 1_000);
  }

  @Test
  void aOneOffSyncWithoutANetworkSaysSoBeforeLong() {
    Internet net = Internet.whereAllAreKnown(24, 3, 4);
    net.first.knows = net.madeUp(1);
    assertThat(net.world.run(net.settings(24))).isTrue();
    assertThat(net.wallet.addresses).hasSizeGreaterThan(400);
    net.world.events.clear();
    net.world.failsAtOnce = true;
    net.world.mostAtOnce = 0;
    Instant begin = net.world.now();
    assertThat(net.world.run(net.settings(26))).isTrue();
    assertThat(net.noUsablePeer().kind()).isEqualTo(Obstacle.Kind.UNREACHABLE);
    assertThat(net.world.mostAtOnce).isLessThanOrEqualTo(MAX_CALLS);
    assertThat(Duration.between(begin, net.world.now())).isLessThan(Duration.ofMinutes(2));
  }

  /** This computer slept, and is in another network: pauses from the old one do not count. */
  @ParameterizedTest
  @ValueSource(ints = {0, 13, 26, 39, 52})
  void callsAtOnceWhenThisEndWasAway(int seconds) {
    Internet net = Internet.whereAllAreKnown(27, 4, 4);
    net.world.keepsQueue = true;
    net.world.later(
        60_000,
        () -> {
          net.world.failsAtOnce = true;
          net.world.cutAll();
        });
    int[] there = new int[1];
    long back = 1_860_000 + 1_000L * seconds;
    net.world.later(
        back,
        () -> {
          net.world.failsAtOnce = false;
          there[0] = net.ready().size();
          net.world.jump(Duration.ofSeconds(15));
        });
    net.world.later(
        back + 1_500, () -> assertThat(net.ready().size()).isGreaterThanOrEqualTo(there[0] + 3));
    net.world.later(back + 10_000, () -> net.world.post(new Input.Stop()));
    assertThat(net.world.run(net.settings(27).follow(true))).isTrue();
  }

  /**
   * Hours of feelers must not use up the nodes that a search may ask. Those are of no other use, so
   * they are called for nothing else.
   */
  @Test
  void aSearchMayAskAfterALongPeace() {
    Internet net = Internet.of(28, 60, 2);
    for (int i = 0; i < 3; i++) {
      net.add(net.plain, Services.WITNESS);
    }
    net.world.names.put("x5." + SEED, List.copyOf(net.filtering));
    net.gossip(65);
    List<NodeAddress> others = net.plain.subList(2, 5);
    net.world.keepsQueue = true;
    net.world.limit = Duration.ofDays(2);
    long hour = 3_600_000;
    SimulatedNode late = net.first.twin();
    late.services = BLOOM;
    net.world.later(
        4 * hour,
        () -> {
          net.world.unreachable.addAll(net.filtering);
          net.filtering.forEach(gone -> net.world.hangUp(net.node(gone)));
          NetworkAddress told = blooming(net.told(net.world.add(late, net.address())));
          others.forEach(other -> net.node(other).knows = List.of(told, told));
        });
    net.world.later(4 * hour + 300_000, () -> net.world.post(new Input.Stop()));
    assertThat(net.world.run(net.settings(28).follow(true))).isTrue();
    assertThat(net.shownFilters()).anyMatch(peer -> net.world.nodes.get(peer) == late);
  }

  /**
   * Days of peers that come and go, of feelers, and of invented addresses: memory and disk do not
   * grow with them.
   */
  @Test
  void memoryDoesNotGrowWithTheDays() {
    Internet net = Internet.whereAllAreKnown(29, 6, 4);
    net.world.keepsQueue = true;
    net.world.limit = Duration.ofDays(8);
    long[] weights = new long[6];
    for (int day = 0; day < 6; day++) {
      int today = day;
      for (int hour = 1; hour < 24; hour++) {
        int now = 24 * day + hour;
        net.world.later(3_600_000L * now, () -> net.junk(now));
        net.world.later(3_600_000L * now + 1_800_000, () -> net.world.hangUp(net.first));
      }
      net.world.later(
          86_400_000L * (day + 1),
          () -> weights[today] = Weight.of(net.world.machine(), net.first.chain));
    }
    net.world.later(6 * 86_400_000L + 1, () -> net.world.post(new Input.Stop()));
    assertThat(net.world.run(net.settings(29).follow(true))).isTrue();
    assertThat(weights[5]).as("bytes by day: %s", weights).isLessThan(weights[2] * 11 / 10);
    assertThat(net.world.machine().footprint().callsRemembered()).isLessThan(50);
    assertThat(net.wallet.peers).isEmpty();
  }

  @Test
  void aGuardIsRememberedByName() {
    Internet net = Internet.whereAllAreKnown(30, 4, 4);
    assertThat(net.world.run(guarded(net, 30))).isTrue();
    assertThat(net.wallet.peers.keySet()).isEqualTo(net.shownFilters());
  }

  /** The clock was wrong by a month when the table was written. */
  @Test
  void pausesThatLieInTheFutureAreOver() {
    Internet net = Internet.whereAllAreKnown(31, 4, 4);
    assertThat(net.world.run(net.settings(31))).isTrue();
    long later = net.world.now().plus(Duration.ofDays(30)).getEpochSecond();
    net.wallet.addresses.replaceAll(
        (endpoint, known) ->
            new KnownAddress(
                endpoint,
                known.services(),
                known.firstHand(),
                later,
                known.source(),
                known.proven(),
                later,
                known.lastSuccess(),
                2,
                -1,
                0,
                ""));
    net.world.lookedUp.clear();
    net.world.events.clear();
    net.first.mine(List.of());
    assertThat(net.world.run(net.settings(32))).isTrue();
    net.isComplete();
    assertThat(net.world.lookedUp).isEmpty();
    assertThat(net.wallet.addresses.values())
        .allMatch(known -> known.lastTry() < later && known.lastSeen() < later);
  }

  private static NetworkAddress blooming(NetworkAddress told) {
    return new NetworkAddress(told.time(), BLOOM, told.network(), told.address(), told.port());
  }

  @Test
  void guardsAreOfDifferentGroupsAndStay() {
    Internet net = Internet.whereAllAreKnown(13, 6, 6);
    assertThat(net.world.run(guarded(net, 13))).isTrue();
    assertThat(net.world.events).anyMatch(SyncFact.Complete.class::isInstance);
    Set<NodeAddress> guards = net.shownFilters();
    assertThat(guards).hasSize(2);
    for (int i = 0; i < 5; i++) {
      net.first.mine(List.of());
      net.world.events.clear();
      net.world.sends.clear();
      assertThat(net.world.run(guarded(net, 14 + i))).isTrue();
      assertThat(net.world.events).anyMatch(SyncFact.Complete.class::isInstance);
      assertThat(guards).containsAll(net.shownFilters());
    }
  }

  private static Set<NetGroup> groups(Collection<NodeAddress> peers) {
    Set<NetGroup> groups = new HashSet<>();
    peers.forEach(peer -> groups.add(NetGroup.of(peer.endpoint().orElseThrow())));
    return groups;
  }

  @Test
  void noTwoGuardsAreOfOneGroupHoweverManyAddressesItHas() {
    for (long seed = 0; seed < 30; seed++) {
      Internet net = Internet.ofAPersonWithManyAddresses(seed);
      assertThat(net.world.run(guarded(net, seed))).isTrue();
      assertThat(net.world.events).anyMatch(SyncFact.Complete.class::isInstance);
      assertThat(net.shownFilters()).as("seed %d", seed).hasSize(2);
      assertThat(groups(net.shownFilters())).as("seed %d", seed).hasSize(2);
    }
  }

  @Test
  void noTwoPeersAreOfOneGroupWhileThereIsAChoice() {
    for (long seed = 0; seed < 30; seed++) {
      Internet net = Internet.ofAPersonWithManyAddresses(seed);
      assertThat(net.world.run(net.settings(seed).preset(Preset.Fast.USUAL.verify(3)))).isTrue();
      net.isComplete();
      Set<NodeAddress> ready = new HashSet<>(net.ready());
      assertThat(ready).as("seed %d", seed).hasSizeGreaterThanOrEqualTo(3);
      assertThat(groups(ready)).as("seed %d: %s", seed, ready).hasSameSizeAs(ready);
    }
  }

  /** Two are called at once, as one of them is known as a node without filters. */
  @Test
  void noTwoPeersOfOneGroupAgreeOnFilters() {
    Internet net = Internet.of(41, 0, 2);
    NodeAddress one = new NodeAddress("30.30.1.1", PORT);
    net.world.add(net.first.twin(Services.COMPACT_FILTERS), one);
    net.add(net.plain, PLAIN | Services.COMPACT_FILTERS, "30.30.1.2");
    NodeAddress other = net.plain.get(2);
    net.world.names.put(SEED, net.plain.subList(0, 2));
    net.node(net.plain.get(0)).knows = List.of(net.told(one));
    net.node(net.plain.get(1)).knows = List.of(net.told(other));
    net.world.delays.put(net.plain.get(1), 1_000);
    net.world.delays.put(one, 4_000);
    net.world.delays.put(other, 3_000);
    assertThat(net.world.run(net.settings(41).preset(new Preset.Compact(2)))).isTrue();
    assertThat(net.world.called).contains(one, other);
    assertThat(net.world.events).noneMatch(SyncFact.Complete.class::isInstance);
    assertThat(net.ready()).contains(one).doesNotContain(other);
  }

  @Test
  void aGuardThatIsGoneIsNotReplaced() {
    Internet net = Internet.whereAllAreKnown(14, 6, 6);
    assertThat(net.world.run(guarded(net, 14))).isTrue();
    NodeAddress gone = net.shownFilters().iterator().next();
    net.world.unreachable.add(gone);
    net.world.events.clear();
    net.world.sends.clear();
    net.first.mine(List.of());
    assertThat(net.world.run(guarded(net, 15))).isTrue();
    assertThat(net.noUsablePeer().kind()).isEqualTo(Obstacle.Kind.NO_GUARD);
    assertThat(net.noUsablePeer().missing())
        .hasValueSatisfying(
            missing ->
                assertThat(missing)
                    .isEqualTo(new SyncWarning.GuardAbsent(missing.role(), gone, true)));
  }

  private static SyncSettings guarded(Internet net, long seed) {
    return net.settings(seed)
        .peers(who -> who.connections(2))
        .keyedBy(Bytes.ofHex("00".repeat(32)))
        .preset(Preset.Private.USUAL);
  }

  /**
   * Must show 2: 10 that filter, 5 that lie, 5 dead ones and 20 without filters, a hundred times.
   */
  @Test
  void aColdStartInAnInternetOfForty() {
    for (long seed = 0; seed < 100; seed++) {
      Internet net = forty(seed);
      net.world.lossPerMessage = seed % 4 == 3 ? 0.0005 : 0;
      assertThat(net.world.run(net.settings(seed).preset(Preset.Fast.USUAL.verify(2))))
          .as("seed " + seed)
          .isTrue();
      assertThat(net.world.events)
          .as("seed " + seed)
          .contains(new SyncFact.Complete(net.first.chain.height(), net.first.chain.tip()));
      assertThat(net.wallet.coins).as("seed " + seed).hasSize(3);
      assertThat(net.world.elapsed()).as("seed " + seed).isLessThan(Duration.ofMinutes(10));
    }
  }

  /**
   * Three serve filters honestly, and three are to serve each block. One of them that sends its
   * version message while all places are taken must be called again when a place is free. The
   * machine waits for the peer that falls silent, and for one that cannot be reached.
   */
  @Test
  void theOnlyThreeOfFortyAreFoundAsSoonAsTheirPlacesAreFree() {
    for (long seed = 0; seed < 100; seed++) {
      Internet net = threeOfForty(seed);
      SyncSettings settings =
          net.settings(seed)
              .preset(Preset.Fast.USUAL.verify(3))
              .limits(limits -> limits.mempoolWait(Duration.ZERO));
      assertThat(net.world.run(settings)).as("seed " + seed).isTrue();
      assertThat(net.world.events)
          .as("seed " + seed)
          .contains(new SyncFact.Complete(net.first.chain.height(), net.first.chain.tip()));
      assertThat(net.world.elapsed()).as("seed " + seed).isLessThan(Duration.ofSeconds(60));
    }
  }

  private static Internet threeOfForty(long seed) {
    Internet net = Internet.of(seed, 3, 27);
    for (int i = 0; i < 5; i++) {
      net.addDead();
      SimulatedNode liar = net.node(net.add(net.liars, BLOOM));
      switch (i) {
        case 0 -> liar.omits = tx -> true;
        case 1 -> liar.corrupts = true;
        case 2 -> liar.injects = true;
        case 3 -> {
          liar.hidesFilteredBlocks = true;
          liar.hidesWholeBlocks = true;
        }
        default -> liar.stallsAfter = 20;
      }
    }
    net.gossip(15);
    NodeAddress told = net.plain.get(1);
    net.world.names.put(SEED, List.of(told));
    net.node(told).knows =
        List.of(
            net.told(net.filtering.get(0)), net.told(net.plain.get(2)), net.told(net.liars.get(0)));
    return net;
  }

  /** It came last, and was dropped; then one of those that came first fell silent. */
  @Test
  void aSparePeerIsCalledWhenAPlaceIsFree() {
    Internet net = Internet.whereAllAreKnown(35, 4, 2);
    NodeAddress last = net.filtering.get(3);
    net.world.delays.put(last, 50);
    net.node(net.filtering.get(2)).stallsAfter = 20;
    SyncSettings settings =
        net.settings(35)
            .preset(Preset.Fast.USUAL.verify(3))
            .limits(limits -> limits.mempoolWait(Duration.ZERO));
    assertThat(net.world.run(settings)).isTrue();
    net.isComplete();
    assertThat(net.world.called).filteredOn(last::equals).hasSize(2);
    assertThat(net.shownFilters()).contains(last);
    assertThat(net.world.elapsed())
        .isBetween(settings.stallTimeout(), settings.stallTimeout().plusSeconds(1));
  }

  @Test
  void withAllFilteringNodesGoneItReportsIt() {
    for (long seed = 0; seed < 20; seed++) {
      Internet net = forty(seed);
      net.world.unreachable.addAll(net.filtering);
      net.world.unreachable.addAll(net.liars);
      net.world.names.put(SEED, List.copyOf(net.plain.subList(0, 3)));
      assertThat(net.world.run(net.settings(seed))).as("seed " + seed).isTrue();
      SyncFact.NoUsablePeer none = net.noUsablePeer();
      assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_BLOOM);
      assertThat(none.detail()).contains("0 of these with NODE_BLOOM");
      assertThat(net.world.elapsed()).as("seed " + seed).isLessThan(Duration.ofMinutes(10));
    }
  }

  static Internet forty(long seed) {
    Internet net = Internet.of(seed, 10, 20);
    for (int i = 0; i < 5; i++) {
      net.addDead();
      SimulatedNode liar = net.node(net.add(net.liars, BLOOM));
      switch (i) {
        case 0 -> liar.omits = tx -> true;
        case 1 -> liar.injects = true;
        case 2 -> liar.mute = true;
        case 3 -> liar.hidesFilteredBlocks = true;
        default -> liar.headersServed = (ask, honest) -> Headers.ofStored(Bytes.wrap(new byte[80]));
      }
    }
    net.gossip(15);
    // The poisoner announces addresses without a node.
    List<NetworkAddress> junk = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      junk.add(net.told(new NodeAddress("40." + i / 200 + "." + i % 200 + ".1", PORT)));
    }
    net.node(net.liars.get(1)).knows = junk;
    List<NodeAddress> answer = new ArrayList<>(net.everybody().subList(0, 8));
    switch ((int) seed % 3) {
      case 0 -> {
        List<NodeAddress> filtering = new ArrayList<>(net.filtering.subList(0, 4));
        filtering.addAll(net.liars);
        filtering.addAll(net.dead.subList(0, 2));
        net.world.names.put("x5." + SEED, filtering);
      }
      case 1 -> net.world.names.put(SEED, answer);
      default -> {
        net.world.names.put("xd." + SEED, List.of(net.dead.get(0), net.liars.get(4)));
        net.world.names.put(SEED, answer);
      }
    }
    return net;
  }
}
