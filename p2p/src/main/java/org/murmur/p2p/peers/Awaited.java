package org.murmur.p2p.peers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.PeerAddress;

/** Who knows of peers that are not there yet. */
public interface Awaited {

  /** Whether a peer that is not ready may become so before long. */
  boolean isAwaited(PeerAddress address);

  /** Whether any peer more may come before long. */
  boolean hasMore();

  /** Until when those who were just called are waited for: they may know of higher blocks. */
  @Nullable Instant greetingDue();
}
