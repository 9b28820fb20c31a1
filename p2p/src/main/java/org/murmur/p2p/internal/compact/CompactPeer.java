package org.murmur.p2p.internal.compact;

import java.time.Instant;
import org.murmur.p2p.internal.scan.ScanPeer;
import org.murmur.p2p.internal.sync.Link;

/** A peer, and what it says of the filters of blocks. */
public class CompactPeer extends ScanPeer {

  private final CompactLink compact = new CompactLink();

  public CompactPeer(Link link, long nonce, Instant now) {
    super(link, nonce, now);
  }

  final CompactLink compact() {
    return compact;
  }
}
