package org.murmur.p2p.sync;

import java.util.function.Function;

/**
 * What one part of the machine keeps of each peer. It is made when it is first asked for, and goes
 * with the peer's link.
 */
final class PerPeer<T> {

  private final Function<Peer, T> make;

  /** Keeps something of each peer that begins like this. */
  PerPeer(Function<Peer, T> make) {
    this.make = make;
  }

  /** Returns what is kept of a peer. */
  T of(Peer peer) {
    return peer.kept(this, make);
  }
}
