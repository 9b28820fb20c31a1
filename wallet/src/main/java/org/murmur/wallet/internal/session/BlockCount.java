package org.murmur.wallet.internal.session;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.sync.SyncStart;

/** Counts the scanned blocks of all batches. A scan row grows from batch to batch. */
final class BlockCount {

  private final Map<Long, NodeAddress> loads = new HashMap<>();
  private final Map<Long, Integer> rowEnds = new HashMap<>();
  private int blocks;

  BlockCount(SyncStart start) {
    start.views().forEach(view -> loads.put(view.id(), view.peer()));
    start.rows().forEach(row -> rowEnds.put(row.id(), row.to()));
  }

  /** Counts a batch, each block for the peer that served it. */
  void add(CommitBatch batch, Participants peers) {
    for (Load load : batch.loads()) {
      loads.put(load.id(), load.peer());
    }
    for (ScanRow row : batch.rows()) {
      int before = rowEnds.getOrDefault(row.id(), row.from() - 1);
      int more = Math.max(0, row.to() - before);
      rowEnds.put(row.id(), row.to());
      blocks += more;
      @Nullable NodeAddress peer = loads.get(row.view());
      if (peer != null) {
        peers.of(peer).blocks += more;
      }
    }
  }

  int blocks() {
    return blocks;
  }
}
