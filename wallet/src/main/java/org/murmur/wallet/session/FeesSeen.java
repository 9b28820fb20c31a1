package org.murmur.wallet.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.spend.fee.BlockFees;
import org.murmur.wallet.spend.fee.FeeEstimate;

/** What the last blocks paid, and what the peers relay, as seen in this session. */
final class FeesSeen {

  private final ChainParams network;
  private final TreeMap<Integer, BlockFees> blocks = new TreeMap<>();
  private final Map<NodeAddress, Long> least = new LinkedHashMap<>();

  FeesSeen(ChainParams network) {
    this.network = network;
  }

  void heard(SyncEvent event) {
    if (event instanceof SyncEvent.RecentBlock recent) {
      int height = recent.height();
      // After a reorganisation the later block counts.
      blocks.put(height, BlockFees.of(recent.block(), height, network.subsidy(height)));
    } else if (event instanceof SyncEvent.LeastFeeRate said
        && (least.containsKey(said.peer()) || least.size() < Participants.MOST)) {
      least.put(said.peer(), said.satPerKvb());
    }
  }

  /** The least rate that a peer relays, of those that said so; empty if none did. Any value. */
  OptionalLong least() {
    return least.values().stream().mapToLong(Long::longValue).min();
  }

  Optional<FeeEstimate> estimate() {
    return FeeEstimate.of(new ArrayList<>(blocks.values()), least);
  }
}
