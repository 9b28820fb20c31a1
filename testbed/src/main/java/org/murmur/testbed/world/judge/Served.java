package org.murmur.testbed.world.judge;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.testbed.world.network.FilterSnapshot;

/**
 * The world's own record of which node served which block under which filter: blocks that reached
 * the client before its last write. A claim beyond it is a lie.
 *
 * <p>Elements have numbers, so that a filter's elements are a set of bits.
 */
final class Served {

  private record Serving(NodeAddress peer, FilterSnapshot filter) {}

  private record Delivery(Hash256 block, Serving serving) {}

  private final Map<Hash256, List<Serving>> durable = new HashMap<>();
  // Sets: a peer may say the hashes of all filters again and again between two writes.
  private Set<Delivery> fresh = new LinkedHashSet<>();
  private Set<Delivery> inBatch = new LinkedHashSet<>();
  private final Map<NodeAddress, Delivery> latest = new HashMap<>();
  private final List<NodeAddress> disowned = new ArrayList<>();
  private final List<Bytes> elements = new ArrayList<>();
  private final Map<Bytes, Integer> numbers = new HashMap<>();

  /** A block reached the client. */
  void delivered(Hash256 block, NodeAddress peer, FilterSnapshot filter) {
    Delivery delivery = new Delivery(block, new Serving(peer, filter));
    fresh.add(delivery);
    latest.put(peer, delivery);
  }

  /**
   * The client hands out a batch: later blocks cannot be in it. It may discard the answers of some
   * nodes with it.
   */
  void batched(List<NodeAddress> taken) {
    disowned.addAll(taken);
    // The world cannot know when this happened while the batch was made: blocks since the last
    // batch count.
    for (NodeAddress peer : taken) {
      // It counts after its transactions have come, which may be later.
      Delivery open = latest.get(peer);
      if (open != null) {
        fresh.add(open);
      }
    }
    inBatch.addAll(fresh);
    fresh = new LinkedHashSet<>();
  }

  /** The batch is written. */
  void written() {
    if (!disowned.isEmpty()) {
      durable.values().forEach(all -> all.removeIf(serving -> disowned.contains(serving.peer())));
      disowned.clear();
    }
    for (Delivery delivery : inBatch) {
      List<Serving> servings =
          durable.computeIfAbsent(delivery.block(), block -> new ArrayList<>(2));
      if (!servings.contains(delivery.serving())) {
        // The newest first: it is the one that most likely holds everything.
        servings.add(0, delivery.serving());
      }
    }
    inBatch = new LinkedHashSet<>();
  }

  /** The process dies: unwritten blocks do not count. */
  void lost() {
    fresh.clear();
    inBatch.clear();
    disowned.clear();
    latest.clear();
  }

  /** An element's number. */
  int number(Bytes element) {
    return numbers.computeIfAbsent(
        element,
        e -> {
          elements.add(e);
          return elements.size() - 1;
        });
  }

  Bytes element(int number) {
    return elements.get(number);
  }

  /** Those of some elements that fewer than this many nodes looked for in a block. */
  BitSet missing(BitSet wanted, Hash256 block, int nodes) {
    Map<NodeAddress, BitSet> byPeer = new LinkedHashMap<>();
    BitSet missing = wanted;
    for (Serving serving : durable.getOrDefault(block, List.of())) {
      BitSet left = byPeer.computeIfAbsent(serving.peer(), peer -> (BitSet) wanted.clone());
      serving.filter().strike(left, elements);
      missing = shortOf(wanted, byPeer.values(), nodes);
      if (missing.isEmpty()) {
        break;
      }
    }
    return missing;
  }

  /**
   * Those of the wanted elements that fewer than this many nodes looked for, given each node's
   * misses.
   */
  private static BitSet shortOf(BitSet wanted, Collection<BitSet> notFound, int nodes) {
    if (nodes == 1 && notFound.size() == 1) {
      return notFound.iterator().next();
    }
    BitSet missing = new BitSet();
    for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
      int found = 0;
      for (BitSet one : notFound) {
        found += one.get(i) ? 0 : 1;
      }
      missing.set(i, found < nodes);
    }
    return missing;
  }

  /** How many nodes served a block, under any filter. */
  int seen(Hash256 block) {
    Set<NodeAddress> peers = new HashSet<>();
    durable.getOrDefault(block, List.of()).forEach(serving -> peers.add(serving.peer()));
    return peers.size();
  }
}
