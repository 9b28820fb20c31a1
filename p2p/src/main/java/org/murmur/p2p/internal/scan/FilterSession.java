package org.murmur.p2p.internal.scan;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.peers.Effects;
import org.murmur.p2p.internal.peers.Journal;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent;

/**
 * The filter of one link, and the {@link Transition} to the next one. Only this class sends filter
 * messages. It also keeps a model of the server-side filter.
 */
public final class FilterSession {

  /** The way from one filter to the next. Without one, blocks are requested under the filter. */
  private sealed interface Transition {

    /** The peer still owes blocks under the old filter, and gets no more requests. */
    record Draining() implements Transition {}

    /** The peer owes nothing: its answers are written with this batch. */
    record Answered(long batch) implements Transition {}

    /** A filter, or an addition, is sent once the batch that records it is on disk. */
    record Recorded(Load next, long batch) implements Transition {}
  }

  private final Peer peer;
  private @Nullable Transition transition;
  private @Nullable Load load;
  private int served;
  private int matched;
  private @Nullable FilterCopy copy;

  FilterSession(Peer peer) {
    this.peer = peer;
  }

  /** The filter that the server holds, as it was sent; null if it holds none. */
  public @Nullable Load load() {
    return load;
  }

  /** Adds the ids of the filters that the server holds, or is about to get. */
  public void addLoads(Set<Long> ids) {
    if (load != null) {
      ids.add(load.id());
    }
    if (transition instanceof Transition.Recorded recorded) {
      ids.add(recorded.next().id());
    }
  }

  /** How many elements of the log the server's filter holds now. */
  public int elements() {
    return load == null ? 0 : load.elements();
  }

  /** Whether a filter waits to be on disk before it is sent. */
  public boolean isRecording() {
    return transition instanceof Transition.Recorded;
  }

  /** Sends the server a filter, or an addition to its filter, once it is on disk. */
  public void show(Load next, Journal journal, Effects effects) {
    transition = new Transition.Recorded(next, journal.load(next, effects.now()));
  }

  /**
   * Sends the pending filter if the last batch on disk records it. Returns the sent load; null if
   * nothing is due.
   */
  public @Nullable Load sendRecorded(long batch, WatchedLog log, Effects effects) {
    if (!(transition instanceof Transition.Recorded recorded) || recorded.batch() > batch) {
      return null;
    }
    transition = null;
    Load next = recorded.next();
    Load last = load;
    if (last != null && last.id() == next.id()) {
      add(last.elements(), next, log, effects);
    } else {
      replace(next, effects);
    }
    load = next;
    return next;
  }

  private void add(int held, Load next, WatchedLog log, Effects effects) {
    for (int i = held; i < next.elements(); i++) {
      send(new Message.FilterAdd(log.get(i).data()), effects);
    }
    effects.note(
        SyncEvent.Note.Topic.FILTER,
        peer,
        next.elements() - held + " elements added to its filter");
  }

  private void replace(Load next, Effects effects) {
    send(new Message.FilterLoad(next.filter()), effects);
    effects.note(
        SyncEvent.Note.Topic.FILTER,
        peer,
        "got a filter of "
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

  /**
   * Sends a filter that contains no element of the wallet, before the first one that does. It is no
   * load: nothing is requested under it, and it is neither recorded nor modelled.
   */
  public void sendNoise(BloomFilter noise, Effects effects) {
    effects.send(peer, new Message.FilterLoad(noise));
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

  /** Whether this filter gets no more requests, and no next one is recorded yet. */
  public boolean isDraining() {
    return transition instanceof Transition.Draining || transition instanceof Transition.Answered;
  }

  /** Whether all outstanding answers have come and are on disk. */
  public boolean isDrained(Journal journal) {
    return transition instanceof Transition.Answered answered
        && journal.isWritten(answered.batch());
  }

  /**
   * Stops requests under this filter, and has its answers written soon; the peer may still owe
   * blocks.
   */
  public void drain(boolean owes, Journal journal, Effects effects) {
    if (!isDraining()) {
      transition = new Transition.Draining();
    }
    if (owes) {
      // The rows that came so far are written meanwhile.
      journal.hurry();
    }
    goOnDraining(owes, journal, effects);
  }

  /** Has the answers written soon if all of them have come. */
  public void goOnDraining(boolean owes, Journal journal, Effects effects) {
    if (owes) {
      return;
    }
    if (transition instanceof Transition.Draining) {
      transition = new Transition.Answered(journal.holdingTransactions());
      effects.changed();
    }
    if (!isDrained(journal)) {
      journal.hurry();
    }
  }

  /** Blocks are requested under this filter: it no longer drains. */
  public void stopDraining() {
    if (isDraining()) {
      transition = null;
    }
  }

  /** The model of the server-side filter; null if the server holds none. */
  public @Nullable FilterCopy copy() {
    return copy;
  }

  /** Another peer sent a transaction: this server's filter may have matched it too. */
  public void sentByOther(Tx tx) {
    if (copy != null) {
      copy.sentByOther(tx);
    }
  }
}
