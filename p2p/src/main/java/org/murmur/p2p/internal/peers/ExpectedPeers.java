package org.murmur.p2p.internal.peers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;

/** Knows the peers that are not connected yet. */
public interface ExpectedPeers {

  /** Whether a peer that is not connected may be soon. */
  boolean isAwaited(NodeAddress address);

  /** Whether another peer may connect soon. */
  boolean hasMore();

  /** Deadline for the version messages of new connections: these peers may have higher blocks. */
  @Nullable Instant versionDue();
}
