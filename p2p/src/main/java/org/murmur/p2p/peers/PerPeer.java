package org.murmur.p2p.peers;

import java.util.function.Function;

/**
 * What one part of the machine keeps of each peer. It is made when it is first asked for, and goes
 * with the peer's link.
 */
public final class PerPeer<T> {

  private final Function<Peer, T> make;

  /** Keeps something of each peer that begins like this. */
  public PerPeer(Function<Peer, T> make) {
    this.make = make;
  }

  /** Returns what is kept of a peer. */
  public T of(Peer peer) {
    return peer.kept(this, make);
  }
}
