package org.murmur.wallet.internal.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.murmur.coins.spend.fee.BlockFees;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.wallet.pay.FeeEstimate;

/** The fees that the last blocks paid and that the peers relay, as seen in this session. */
final class FeesSeen {

  private final ChainParams network;
  private final TreeMap<Integer, BlockFees> blocks = new TreeMap<>();
  private final Map<NodeAddress, Long> least = new LinkedHashMap<>();

  private final Set<NodeAddress> closed = new HashSet<>();

  FeesSeen(ChainParams network) {
    this.network = network;
  }

  void heard(SyncEvent event) {
    if (event instanceof SyncFact.RecentBlock recent) {
      int height = recent.height();
      // After a reorganisation the later block counts.
      blocks.put(height, BlockFees.of(recent.block(), height, network.subsidy(height)));
    } else if (event instanceof SyncFact.LeastFeeRate said
        && (least.containsKey(said.peer()) || least.size() < Participants.MOST)) {
      least.put(said.peer(), said.satPerKvb());
      if (said.takesNothing()) {
        closed.add(said.peer());
      } else {
        closed.remove(said.peer());
      }
    }
  }

  /** The least rate that a peer relays, of those that said so; empty if none did. */
  OptionalLong least() {
    return least.entrySet().stream()
        .filter(said -> !closed.contains(said.getKey()))
        .mapToLong(Map.Entry::getValue)
        .min();
  }

  /** Whether one of these peers may take a transaction, as far as they said. */
  boolean isTaken(Collection<NodeAddress> ready) {
    return ready.isEmpty() || !closed.containsAll(ready);
  }

  /** The least rate that one of these peers relays; zero if one of them has not said it. */
  FeeRate least(Collection<NodeAddress> ready) {
    long rate =
        ready.stream()
            .filter(peer -> !closed.contains(peer))
            .mapToLong(peer -> least.getOrDefault(peer, 0L))
            .min()
            .orElse(0);
    return FeeRate.satPerKvb(Math.max(0, Math.min(rate, FeeRate.MAX_SAT_PER_KVB)));
  }

  Optional<FeeEstimate> estimate() {
    return FeeEstimate.of(new ArrayList<>(blocks.values()), least);
  }
}
