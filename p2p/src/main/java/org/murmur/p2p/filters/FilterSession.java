package org.murmur.p2p.filters;

import org.jspecify.annotations.Nullable;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;
import org.murmur.p2p.wire.Message;

/** The filter of one link: what the server was sent, what it is about to be sent. State only. */
public final class FilterSession {

  private static final PerPeer<FilterSession> SESSIONS = new PerPeer<>(peer -> new FilterSession());

  public @Nullable Load load;
  // How many elements of the log the server's filter holds by now.
  public int elements;
  // Transactions that matched under this load, true or false: the server may have added their
  // outpoints.
  public int matched;
  public @Nullable Load nextLoad;
  public long loadRecordedBy;
  public boolean draining;
  // The batch that has to be on disk before a new filter is made; negative while blocks still come.
  public long drained = -1;
  public @Nullable ScanRow row;
  public @Nullable FilterCopy copy;

  /** Sends what changes the server's copy of our filter, or lets much through it. */
  public void send(Peer peer, Message message, Effects effects) {
    copy = FilterCopy.after(copy, message, effects.now());
    effects.send(peer, message);
  }

  /** Returns the one of a peer's link. */
  public static FilterSession of(Peer peer) {
    return SESSIONS.of(peer);
  }
}
