package org.murmur.p2p.internal.peers;

import java.util.function.Function;

/**
 * One part's state of each peer. It is created on first access, and is dropped with the peer's
 * link.
 */
public final class PerPeer<T> {

  private final Function<Peer, T> make;

  /** Makes the state of every peer with this initial value. */
  public PerPeer(Function<Peer, T> make) {
    this.make = make;
  }

  /** Returns the state of a peer. */
  public T of(Peer peer) {
    return peer.kept(this, make);
  }
}
