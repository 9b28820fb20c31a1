package org.murmur.p2p.dial;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;

/** What a peer of the session was asked, and told, about addresses of others. State only. */
final class Gossip {

  private static final PerPeer<Gossip> ALL = new PerPeer<>(peer -> new Gossip());

  // When it was asked, until it answers.
  @Nullable Instant askedAt;
  boolean toldAny;

  static Gossip of(Peer peer) {
    return ALL.of(peer);
  }
}
