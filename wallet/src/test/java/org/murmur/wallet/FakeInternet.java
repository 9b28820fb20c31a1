package org.murmur.wallet;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Discovery;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.lies.Injects;
import org.murmur.regtest.lies.Misdeed;
import org.murmur.regtest.lies.Omits;
import org.murmur.regtest.lies.WrongHeader;
import org.murmur.regtest.lies.WrongProofs;
import org.murmur.regtest.node.Behaviour;
import org.murmur.wallet.sync.SyncOptions;

/**
 * Some nodes on loopback, each of its own network group, a DNS server, and the nodes' announcements
 * of each other.
 */
final class FakeInternet implements AutoCloseable {

  static final int PORT = 18444;
  static final String SEED = "seed.example";

  private static final long PLAIN = Services.NETWORK | Services.WITNESS;

  final Random random;
  final FakeDns dns = new FakeDns();
  final Map<String, RegtestNode> nodes = new HashMap<>();
  final List<String> filtering = new ArrayList<>();
  final List<String> liars = new ArrayList<>();
  final List<String> plain = new ArrayList<>();
  final List<String> compact = new ArrayList<>();
  final List<String> dead = new ArrayList<>();
  private final int network;
  private int groups;

  FakeInternet(long seed) throws IOException {
    System.out.println("fake internet with seed " + seed);
    random = new Random(seed);
    // Others may run the same test on this machine.
    network = 2 + new Random().nextInt(250);
  }

  /** The next free address, of its own group. */
  String address() {
    groups++;
    return "127." + (10 + groups) + "." + network + ".1";
  }

  /** Another address in the group of the last one. */
  private String neighbour() {
    return "127." + (10 + groups) + "." + network + ".2";
  }

  /** Adds one that serves filters of blocks, in the group of the last one that was added. */
  void addCompactNeighbour(Chain chain) {
    add(compact, neighbour(), chain, Behaviour.honest().withoutBloom().withCompactFilters());
  }

  static Endpoint endpoint(String address) {
    return Endpoint.parse(address, PORT).orElseThrow();
  }

  private void add(List<String> kind, Chain chain, Behaviour behaviour) {
    add(kind, address(), chain, behaviour);
  }

  private void add(List<String> kind, String address, Chain chain, Behaviour behaviour) {
    nodes.put(address, RegtestNode.start(chain.copy(), behaviour, address, PORT));
    kind.add(address);
  }

  /** Adds some that serve filters of blocks, and no Bloom filters. */
  void addCompact(Chain chain, int count) {
    for (int i = 0; i < count; i++) {
      addCompact(chain, Behaviour.honest());
    }
  }

  /** Adds one that serves filters of blocks as this says, and no Bloom filters. */
  void addCompact(Chain chain, Behaviour behaviour) {
    add(compact, chain, behaviour.withoutBloom().withCompactFilters());
  }

  /** The five that lie in five ways, one of which omits payments. */
  static List<Behaviour> usualLiars(List<Hash256> payments) {
    return List.of(
        omitting(payments),
        Behaviour.honest().with(new WrongProofs(), 0.5),
        Behaviour.honest().with(new WrongHeader(50)),
        Behaviour.honest().with(new Injects(0.5)),
        Behaviour.honest().with(Misdeed.ENDLESS_ADDRESSES));
  }

  static Behaviour omitting(List<Hash256> payments) {
    Behaviour omits = Behaviour.honest();
    for (Hash256 payment : payments) {
      omits = omits.with(new Omits(payment));
    }
    return omits;
  }

  /**
   * Forty addresses, including those added to the lists before.
   *
   * @param chain what all of them serve
   * @param serving how many serve BIP-0037 and are honest
   * @param lies what the others of these do
   */
  void fill(Chain chain, int serving, List<Behaviour> lies) {
    while (filtering.size() < serving) {
      add(filtering, chain, Behaviour.honest());
    }
    lies.forEach(lie -> add(liars, chain, lie));
    for (int i = 0; i < 5; i++) {
      dead.add(address());
    }
    while (everybody().size() < 40) {
      add(plain, chain, Behaviour.honest().withoutBloom());
    }
    gossip(15);
  }

  private List<String> everybody() {
    List<String> all = new ArrayList<>(filtering);
    all.addAll(compact);
    all.addAll(liars);
    all.addAll(plain);
    all.addAll(dead);
    return all;
  }

  /** Every node knows this many of the others. */
  private void gossip(int each) {
    List<String> all = everybody();
    for (RegtestNode node : nodes.values()) {
      Collections.shuffle(all, random);
      tell(node, all.subList(0, each));
    }
  }

  void tell(RegtestNode node, List<String> others) {
    node.tellOf(others.stream().map(this::told).toList());
  }

  private NetworkAddress told(String address) {
    Endpoint endpoint = endpoint(address);
    long own = compact.contains(address) ? Services.COMPACT_FILTERS : Services.BLOOM;
    long services = plain.contains(address) ? PLAIN : PLAIN | own;
    long now = Instant.now().getEpochSecond();
    return new NetworkAddress(
        now, services, endpoint.network(), endpoint.address(), endpoint.port());
  }

  RegtestNode node(String address) {
    return Objects.requireNonNull(nodes.get(address));
  }

  void close(List<String> kind) {
    kind.forEach(address -> node(address).close());
  }

  SyncOptions options() {
    return SyncOptions.discover()
        .peers(who -> who.discovering(Discovery.USUAL.dnsSeeds(List.of(SEED))))
        .hostNames(dns)
        .limits(limits -> limits.mempoolWait(Duration.ZERO).time(Duration.ofMinutes(3)));
  }

  Set<String> shownFilters() {
    Set<String> shown = new HashSet<>();
    nodes.forEach(
        (address, node) -> {
          if (!node.filtersShown().isEmpty()) {
            shown.add(address);
          }
        });
    return shown;
  }

  @Override
  public void close() {
    nodes.values().forEach(RegtestNode::close);
    dns.close();
  }
}
