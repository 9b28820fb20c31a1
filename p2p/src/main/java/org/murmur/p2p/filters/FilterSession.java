package org.murmur.p2p.filters;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.wire.Message;

/**
 * The filter of one link, from the moment it is decided on. It goes through the states of {@link
 * State}; nobody else sends a filter message. It also keeps a model of what the server made of it.
 */
public final class FilterSession {

  private enum State {
    /** The server holds no filter. */
    NONE,
    /** A filter, or more of one, is sent once the batch that records it is on disk. */
    RECORDED,
    /** The server holds the filter, and blocks are asked for under it. */
    LOADED,
    /** Before a whole new filter is made, what was asked for comes and is written. */
    DRAINING
  }

  private static final PerPeer<FilterSession> SESSIONS = new PerPeer<>(FilterSession::new);

  private final Peer peer;
  private State state = State.NONE;
  private @Nullable Load load;
  private int elements;
  private int matched;
  private @Nullable Load recorded;
  private long recordedBy;
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

  /** Whether a filter waits to be on disk before it is sent. */
  public boolean isRecording() {
    return state == State.RECORDED;
  }

  /** Shows the server a filter, or more of the one it holds, as soon as that is on disk. */
  public void show(Load next, Journal journal, Effects effects) {
    recorded = next;
    recordedBy = journal.load(next, effects.now());
    state = State.RECORDED;
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
    state = State.LOADED;
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
    return state == State.DRAINING;
  }

  /**
   * Asks for nothing more under this filter.
   *
   * @param owes whether the peer still owes blocks
   * @return whether all that was asked for has come and is on disk
   */
  public boolean drain(boolean owes, Journal journal, Effects effects) {
    if (state != State.DRAINING) {
      state = State.DRAINING;
      drainedBy = -1;
    }
    boolean drained = isDrained(owes, journal, effects);
    if (!drained) {
      journal.hurry();
    }
    return drained;
  }

  /** Goes on draining; returns whether all that was asked for has come and is on disk. */
  public boolean isDrained(boolean owes, Journal journal, Effects effects) {
    if (owes) {
      return false;
    }
    if (drainedBy < 0) {
      drainedBy = journal.holdingTransactions();
      effects.changed();
    }
    if (!journal.isWritten(drainedBy)) {
      journal.hurry();
      return false;
    }
    return true;
  }

  /** Something is asked for under this filter. */
  public void isAskedUnder() {
    state = state == State.DRAINING ? State.LOADED : state;
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
