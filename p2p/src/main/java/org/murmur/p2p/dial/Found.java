package org.murmur.p2p.dial;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;

/** What is remembered of a peer that was found, and not named. State only. */
public final class Found {

  private static final PerPeer<Found> ALL = new PerPeer<>(peer -> new Found());

  // It would have done for a scanner, but there was no room.
  boolean spare;
  // When it was asked for addresses, until it told some.
  @Nullable Instant addressesAskedAt;
  boolean toldAddresses;
  private boolean useful;

  /** It is about to go: whether it brought anything that was not known before. */
  public void wasUseful(boolean was) {
    useful = was;
  }

  /** Whether it brought anything that was not known before. */
  boolean wasUseful() {
    return useful;
  }

  /** Returns the one of a peer. */
  public static Found of(Peer peer) {
    return ALL.of(peer);
  }
}
