package org.murmur.wallet.internal.session;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.SyncStart;

/** Counts the scanned blocks of all batches. A scan row grows from batch to batch. */
final class BlockCount {

  private final Map<Long, NodeAddress> peers = new HashMap<>();
  private final Map<Long, Integer> rowEnds = new HashMap<>();
  // By peer: those whose block filters were tested.
  private final Map<NodeAddress, Integer> tested = new HashMap<>();
  private final Set<Long> ofBlockFilters = new HashSet<>();
  private int blocks;

  BlockCount(SyncStart start) {
    start.views().forEach(this::add);
    start.rows().forEach(row -> rowEnds.put(row.id(), row.to()));
  }

  private void add(View view) {
    peers.put(view.id(), view.peer());
    if (view.isOfBlockFilters()) {
      ofBlockFilters.add(view.id());
    }
  }

  /** Counts a batch, each block for the peer that served it. */
  void add(CommitBatch batch, Participants participants) {
    for (Load load : batch.loads()) {
      peers.put(load.id(), load.peer());
    }
    batch.views().forEach(this::add);
    for (ScanRow row : batch.rows()) {
      int before = rowEnds.getOrDefault(row.id(), row.from() - 1);
      int more = Math.max(0, row.to() - before);
      rowEnds.put(row.id(), row.to());
      blocks += more;
      @Nullable NodeAddress peer = peers.get(row.view());
      if (peer != null) {
        participants.of(peer).blocks += more;
        if (ofBlockFilters.contains(row.view())) {
          tested.merge(peer, more, Integer::sum);
        }
      }
    }
  }

  int blocks() {
    return blocks;
  }

  /** Those that were fetched filtered; without any, those whose filters were. */
  int fetched() {
    int filtered = blocks - tested.values().stream().mapToInt(Integer::intValue).sum();
    return filtered > 0 || tested.isEmpty() ? filtered : Collections.max(tested.values());
  }
}
