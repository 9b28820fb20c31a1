package org.murmur.p2p.internal.sync;

import org.murmur.p2p.discovery.NodeAddress;

/**
 * One connection to a peer. A new connection to the same peer is a new link, without the state of
 * the old one.
 *
 * @param id unique within a machine's life
 */
public record Link(int id, NodeAddress address) {

  // Written out, as in NodeAddress.

  @Override
  public boolean equals(Object other) {
    return other instanceof Link l && id == l.id && address.equals(l.address);
  }

  @Override
  public int hashCode() {
    return id;
  }
}
