package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Discovery;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** Which found peers serve whole blocks, and how many, under the compact preset. */
class BlockPeersTest {

  private static final long PLAIN = Services.NETWORK | Services.WITNESS;
  private static final long FILTERS = PLAIN | Services.COMPACT_FILTERS;
  private static final int PORT = 18444;
  private static final int BLOCKS = 60;

  private final SimulatedWallet wallet = new SimulatedWallet(10, 200);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final SimulatedNode chain = new SimulatedNode();
  private final List<NodeAddress> filtering = new ArrayList<>();
  private final List<NodeAddress> plain = new ArrayList<>();

  private NodeAddress node(long services) {
    SimulatedNode node = chain.twin();
    node.services = services;
    return world.add(node, new NodeAddress("20." + (world.nodes.size() + 1) + ".3.4", PORT));
  }

  private NetworkAddress told(NodeAddress address) {
    Endpoint endpoint = address.endpoint().orElseThrow();
    return new NetworkAddress(
        world.now().getEpochSecond(),
        filtering.contains(address) ? FILTERS : PLAIN,
        endpoint.network(),
        endpoint.address(),
        endpoint.port());
  }

  /** An internet where each node knows all others; and a wallet with a payment in every block. */
  private void syncsAmong(int filterPeers, int ordinary) {
    syncsAmong(filterPeers, ordinary, unused -> {});
  }

  private void syncsAmong(int filterPeers, int ordinary, Consumer<SimulatedNode> first) {
    Payments payments = new Payments();
    for (int height = 1; height <= BLOCKS; height++) {
      chain.mine(List.of(payments.pay(height)));
    }
    for (int i = 0; i < filterPeers; i++) {
      filtering.add(node(FILTERS));
    }
    first.accept(Objects.requireNonNull(world.nodes.get(filtering.get(0))));
    for (int i = 0; i < ordinary; i++) {
      plain.add(node(PLAIN));
    }
    List<NetworkAddress> all = List.copyOf(world.nodes.keySet()).stream().map(this::told).toList();
    world.nodes.values().forEach(node -> node.knows = all);
    world.names.put("x49.seed.example", List.copyOf(filtering));
    world.run(
        SyncSettings.of(List.of(), 1)
            .preset(new Preset.Compact(2))
            .peers(
                who ->
                    who.connections(3)
                        .discovering(
                            new Discovery(
                                Optional.of(List.of("seed.example")),
                                List.of(),
                                Optional.of(Scope.INTERNET),
                                PORT,
                                Optional.empty()))));
    assertThat(world.events)
        .contains(new SyncFact.Complete(chain.chain.height(), chain.chain.tip()));
    assertThat(wallet.confirmed).hasSize(BLOCKS);
  }

  /** How many blocks each peer was asked for. */
  private Map<NodeAddress, Integer> asked() {
    Map<NodeAddress, Integer> asked = new HashMap<>();
    for (Output.Send send : world.sends) {
      if (send.message() instanceof Message.GetData get
          && get.items().get(0).type() == InventoryItem.BLOCK) {
        asked.merge(send.link().address(), 1, Integer::sum);
      }
    }
    return asked;
  }

  @Test
  void ordinaryNodesServeABoundedShareEach() {
    syncsAmong(3, 10);
    Map<NodeAddress, Integer> asked = asked();
    assertThat(asked.values()).allMatch(blocks -> blocks <= 16);
    assertThat(asked.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(BLOCKS);
    // While no ordinary node was connected.
    asked.keySet().retainAll(filtering);
    assertThat(asked.values().stream().mapToInt(Integer::intValue).sum()).isLessThan(BLOCKS / 6);
    assertThat(lost(DisconnectReason.SERVED)).hasSizeGreaterThan(1);
  }

  /** Two ordinary nodes serve their share; then there are only those that serve filters. */
  @Test
  void filterPeersServeTheRest() {
    syncsAmong(3, 2);
    Map<NodeAddress, Integer> asked = asked();
    plain.forEach(peer -> assertThat(asked).containsEntry(peer, 16));
    assertThat(asked.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(BLOCKS);
  }

  /** One element too many may be a spent script. The liar costs one honest peer, and no blame. */
  @Test
  void othersTakeThePlacesWhereNoBlockDecides() {
    syncsAmong(
        5,
        4,
        liar -> {
          Bytes lie = chain.blockFilters.withJunk(11, 1);
          liar.blockFilters.claims = (height, filter) -> height == 11 ? lie : filter;
          liar.blockFilters.serves = liar.blockFilters.claims;
        });
    assertThat(wallet.disowned).isEmpty();
    assertThat(lost(DisconnectReason.UNDECIDED)).hasSize(2).contains(filtering.get(0));
  }

  private List<NodeAddress> lost(DisconnectReason reason) {
    return world.events.stream()
        .filter(SyncEvent.PeerLost.class::isInstance)
        .map(SyncEvent.PeerLost.class::cast)
        .filter(lost -> lost.reason() == reason)
        .map(SyncEvent.PeerLost::address)
        .toList();
  }

  /** It claims another filter of a block than others do, and never sends it. */
  @Test
  void anotherTakesThePlaceOfOneThatNeverSendsWhatItClaims() {
    syncsAmong(
        5,
        4,
        liar -> {
          liar.blockFilters.claims = (height, filter) -> height == 11 ? Bytes.EMPTY : filter;
          liar.blockFilters.withheld.add(11);
        });
    assertThat(lost(DisconnectReason.UNDECIDED)).containsExactly(filtering.get(0));
  }

  @Test
  void filterPeersServeAllIfThereIsNobodyElse() {
    syncsAmong(3, 0);
    assertThat(asked().values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(BLOCKS);
  }
}
