package org.murmur.p2p.internal.pool;

import java.time.Instant;
import org.murmur.p2p.internal.compact.CompactPeer;
import org.murmur.p2p.internal.sync.Link;

/** A peer with all that the rooms know of it, unconfirmed transactions at last. */
public final class PoolPeer extends CompactPeer {

  private final PoolLink pool = new PoolLink(this);

  public PoolPeer(Link link, long nonce, Instant now) {
    super(link, nonce, now);
  }

  public PoolLink pool() {
    return pool;
  }
}
