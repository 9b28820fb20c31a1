package org.murmur.p2p.filters;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;
import org.murmur.p2p.sync.Load;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.wire.Message;

/**
 * The filter of one link and its {@link State}. Only this class sends filter messages. It also
 * keeps a model of the server-side filter.
 */
public final class FilterSession {

  private enum State {
    /** The server holds no filter. */
    NONE,
    /** A filter, or an addition, is sent once the batch that records it is on disk. */
    RECORDED,
    /** The server holds the filter, and blocks are requested under it. */
    LOADED,
    /** Before a new filter replaces this one, outstanding answers arrive and are written. */
    DRAINING
  }

  private static final PerPeer<FilterSession> SESSIONS = new PerPeer<>(FilterSession::new);

  private final Peer peer;
  private State state = State.NONE;
  private @Nullable Load load;
  private int elements;
  private int served;
  private int matched;
  private @Nullable Load recorded;
  private long recordedBy;
  private long drainedBy = -1;
  private @Nullable FilterCopy copy;

  private FilterSession(Peer peer) {
    this.peer = peer;
  }

  /** Returns the session of a peer's link. */
  public static FilterSession of(Peer peer) {
    return SESSIONS.of(peer);
  }

  /** The filter that the server holds, as it was sent; null if it holds none. */
  public @Nullable Load load() {
    return load;
  }

  /** How many elements of the log the server's filter holds now. */
  public int elements() {
    return elements;
  }

  /** Whether a filter waits to be on disk before it is sent. */
  public boolean isRecording() {
    return state == State.RECORDED;
  }

  /** Sends the server a filter, or an addition to its filter, once it is on disk. */
  public void show(Load next, Journal journal, Effects effects) {
    recorded = next;
    recordedBy = journal.load(next, effects.now());
    state = State.RECORDED;
  }

  /**
   * Sends the pending filter if the batch that records it is on disk.
   *
   * @param batch the last one on disk
   * @return the sent load; null if nothing is due
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
    served = 0;
    matched = 0;
  }

  /** Sends {@code mempool}: many of its transactions may match the server-side filter. */
  public void askMempool(Effects effects) {
    send(new Message.Mempool(), effects);
  }

  private void send(Message message, Effects effects) {
    copy = FilterCopy.after(copy, message);
    effects.send(peer, message);
  }

  /**
   * How many transactions matched under this filter, true or false positives: the server may have
   * added their outpoints.
   */
  public int matched() {
    return matched;
  }

  /** How many blocks were served under this filter. */
  public int served() {
    return served;
  }

  /** A block was served, with so many matched transactions. */
  public void serves(int transactions) {
    served++;
    matched += transactions;
  }

  /** Whether this filter gets no more requests. */
  public boolean isDraining() {
    return state == State.DRAINING;
  }

  /**
   * Stops requests under this filter.
   *
   * @param owes whether the peer still owes blocks
   * @return whether all outstanding answers have come and are on disk
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

  /** Goes on draining; returns whether all outstanding answers have come and are on disk. */
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

  /** Records a request under this filter. */
  public void isAskedUnder() {
    state = state == State.DRAINING ? State.LOADED : state;
  }

  /** The model of the server-side filter; null if the server holds none. */
  public @Nullable FilterCopy copy() {
    return copy;
  }

  /** Another peer sent a transaction: this server's filter may have matched it too. */
  public void seenElsewhere(Tx tx) {
    if (copy != null) {
      copy.seenElsewhere(tx);
    }
  }
}
