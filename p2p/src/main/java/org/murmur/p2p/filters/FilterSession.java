package org.murmur.p2p.filters;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.wire.Message;

/**
 * The filter of one link. First there is none. A filter is recorded, and sent once that is on disk;
 * then the server holds it. Before a whole new one is made the link is drained: what was asked for
 * under the old filter comes and is written.
 */
public final class FilterSession {

  private static final PerPeer<FilterSession> SESSIONS = new PerPeer<>(FilterSession::new);

  private final Peer peer;
  private @Nullable Load load;
  private int elements;
  private int matched;
  private @Nullable Load recorded;
  private long recordedBy;
  private boolean draining;
  private long drainedBy = -1;
  private @Nullable FilterCopy copy;

  private FilterSession(Peer peer) {
    this.peer = peer;
  }

  /** Returns the one of a peer's link. */
  public static FilterSession of(Peer peer) {
    return SESSIONS.of(peer);
  }

  /** The filter that the server holds, as it was sent; null if it holds none. */
  public @Nullable Load load() {
    return load;
  }

  /** How many elements of the log the server's filter holds by now. */
  public int elements() {
    return elements;
  }

  /** Whether a filter waits until it is on disk that it is sent. */
  public boolean isRecording() {
    return recorded != null;
  }

  /** A filter, or more of one, is about to be sent: when a batch is on disk. */
  public void record(Load next, long by) {
    recorded = next;
    recordedBy = by;
  }

  /**
   * Sends the filter that waits, if the batch that records it is on disk.
   *
   * @param batch the last one on disk
   * @return what was sent; null if nothing is due
   */
  public @Nullable Load sendRecorded(long batch, WatchedLog log, Effects effects) {
    Load next = recorded;
    if (next == null || recordedBy > batch) {
      return null;
    }
    recorded = null;
    Load last = load;
    if (last != null && last.id() == next.id()) {
      add(next, log, effects);
    } else {
      replace(next, effects);
    }
    load = next;
    elements = next.elements();
    return next;
  }

  private void add(Load next, WatchedLog log, Effects effects) {
    for (int i = elements; i < next.elements(); i++) {
      send(new Message.FilterAdd(log.get(i).data()), effects);
    }
    effects.note(
        SyncEvent.Note.Topic.FILTER,
        peer,
        next.elements() - elements + " elements added to its filter");
  }

  private void replace(Load next, Effects effects) {
    send(new Message.FilterLoad(next.filter()), effects);
    effects.note(
        SyncEvent.Note.Topic.FILTER,
        peer,
        "shown a filter of "
            + next.elements()
            + " elements, "
            + next.filter().parameters().bytes()
            + " bytes");
    matched = 0;
  }

  /** Asks what is in the memory pool: much of it may go through the server's copy. */
  public void askMempool(Effects effects) {
    send(new Message.Mempool(), effects);
  }

  private void send(Message message, Effects effects) {
    copy = FilterCopy.after(copy, message);
    effects.send(peer, message);
  }

  /**
   * How many transactions matched under this filter, true or false: the server may have added their
   * outpoints.
   */
  public int matched() {
    return matched;
  }

  /** Transactions matched. */
  public void matched(int transactions) {
    matched += transactions;
  }

  /** Whether nothing more is asked for under this filter. */
  public boolean isDraining() {
    return draining;
  }

  /** Nothing more is asked for under this filter. */
  public void drain() {
    if (!draining) {
      draining = true;
      drainedBy = -1;
    }
  }

  /** Something may be asked for again. */
  public void stopDraining() {
    draining = false;
  }

  /**
   * The batch that has to be on disk before a new filter is made.
   *
   * @return negative while blocks still come
   */
  public long drainedBy() {
    return drainedBy;
  }

  /** All that was asked for has come. */
  public void drainedBy(long batch) {
    drainedBy = batch;
  }

  /** What the server's copy can have become; null if it holds no filter. */
  public @Nullable FilterCopy copy() {
    return copy;
  }

  /** Another peer sent a transaction: this one's server may have let it through, too. */
  public void seenElsewhere(Tx tx) {
    if (copy != null) {
      copy.seenElsewhere(tx);
    }
  }
}
