package org.murmur.p2p.internal.scan;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.headers.HeaderPeer;
import org.murmur.p2p.internal.sync.Link;

/** A peer, its filter, and the blocks requested from it. */
public class ScanPeer extends HeaderPeer {

  // The whole block that it owes.
  WholeBlocks.@Nullable Asked whole;
  private final ScanLink scan = new ScanLink(this);
  private final FilterSession filter = new FilterSession(this);

  public ScanPeer(Link link, long nonce, Instant now) {
    super(link, nonce, now);
  }

  public final ScanLink scan() {
    return scan;
  }

  public final FilterSession filter() {
    return filter;
  }
}
