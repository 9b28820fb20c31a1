package org.murmur.p2p.internal.peers;

import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;

/**
 * The bits of {@link Services} that the session's kind of view needs. A peer must have all of them.
 * The machine chooses it once; all parts that choose peers ask it.
 */
public record ViewService(long bits) {

  /** Views made by {@code filterload}: BIP-0037, announced by NODE_BLOOM (BIP-0111). */
  public static final ViewService FILTERS = new ViewService(Services.BLOOM);

  /** Whether a peer has such views for us: it serves them, and is not used for headers only. */
  public boolean isFrom(Peer peer) {
    Message.Version version = peer.version();
    return !peer.forHeaders() && version != null && isIn(version.services());
  }

  /** Whether some service bits include these. */
  public boolean isIn(long services) {
    return Services.has(services, bits);
  }

  /** The bits of a peer that also keeps all blocks, which a search prefers. */
  public long withAllBlocks() {
    return Services.NETWORK | bits;
  }
}
