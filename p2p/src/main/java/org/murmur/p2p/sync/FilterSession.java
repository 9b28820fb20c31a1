package org.murmur.p2p.sync;

import org.jspecify.annotations.Nullable;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.wire.Message;

/** The filter of one link: what the server was sent, what it is about to be sent. State only. */
final class FilterSession {

  private static final PerPeer<FilterSession> SESSIONS = new PerPeer<>(peer -> new FilterSession());

  @Nullable Load load;
  // How many elements of the log the server's filter holds by now.
  int elements;
  // Transactions that matched under this load, true or false: the server may have added their
  // outpoints.
  int matched;
  @Nullable Load nextLoad;
  long loadRecordedBy;
  boolean draining;
  // The batch that has to be on disk before a new filter is made; negative while blocks still come.
  long drained = -1;
  @Nullable ScanRow row;
  @Nullable FilterCopy copy;

  /** Sends what changes the server's copy of our filter, or lets much through it. */
  void send(Peer peer, Message message, Effects effects) {
    copy = FilterCopy.after(copy, message, effects.now());
    effects.send(peer, message);
  }

  /** Returns the one of a peer's link. */
  static FilterSession of(Peer peer) {
    return SESSIONS.of(peer);
  }
}
