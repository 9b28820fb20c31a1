package org.murmur.wallet.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;

/**
 * The bound on what is kept without a block that holds it, while one batch of news is taken in.
 *
 * <p>What a block has outdone makes room, and so do payments that peers denied, with what builds on
 * them, the one seen first before others. What counts never does, nor what only gave way to
 * something that no block holds: else a flood would wash away the true ones that were there before
 * it. So it only hides those that come after, until they are in a block. What spends own coins
 * makes no room as long as no block outdid it, for it may be what the user sent.
 */
final class UnconfirmedLimit {

  /**
   * Unconfirmed transactions that are kept at once and spend nothing of the wallet's, and as many
   * that do. Anybody makes them up for nothing, without a key. Who really waits for a thousand
   * payments sees the others when they are in a block.
   */
  static final int MAX_UNCONFIRMED = 1_000;

  /** Bytes of either kind: ten of the largest that nodes relay, or a thousand of 4,000 bytes. */
  static final long MAX_UNCONFIRMED_BYTES = 4_000_000;

  private final Entries entries;
  private final Resolutions resolutions;
  private final Set<Hash256> sightings;
  private final AffectedEntries touched;
  // What is unconfirmed and spends nothing of the wallet's, and what does; counted when needed.
  private @Nullable Crowd payments;
  private @Nullable Crowd spends;
  // The last resolutions may be wrong: what a block had outdone may count again.
  private boolean blocksLeft;

  /**
   * Opens the room.
   *
   * @param sightings what the news say again, and so does not make room
   * @param touched notes what makes room
   */
  UnconfirmedLimit(
      Entries entries, Resolutions resolutions, Set<Hash256> sightings, AffectedEntries touched) {
    this.entries = entries;
    this.resolutions = resolutions;
    this.sightings = sightings;
    this.touched = touched;
  }

  /** Counts one more, if it may be kept; others may have left the books for it. */
  boolean take(Tx tx) {
    Crowd crowd = entries.spendsOwn(tx) ? spends() : payments();
    while (!crowd.hasRoomFor(tx)) {
      Entry gone = crowd.nextForgettable();
      if (gone == null) {
        return false;
      }
      touched.forget(gone);
      entries.remove(gone);
      crowd.release(gone);
    }
    crowd.add(tx);
    return true;
  }

  /** A block that held something of this left the chain with this batch. */
  void blockLeft() {
    blocksLeft = true;
  }

  private Crowd payments() {
    if (payments == null) {
      payments = new Crowd(false);
    }
    return payments;
  }

  private Crowd spends() {
    if (spends == null) {
      spends = new Crowd(true);
    }
    return spends;
  }

  private boolean isSpent(Entry entry) {
    for (int i = 0; i < entry.outputCount(); i++) {
      if (!entries.spenders(entry.tx().outPoint(i)).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** How much is kept of something that costs its maker nothing. */
  private final class Crowd {
    private final boolean ofSpends;
    private int count;
    private long bytes;
    // Candidates, the one seen first before others.
    private @Nullable Deque<Entry> forgettable;

    Crowd(boolean ofSpends) {
      this.ofSpends = ofSpends;
      for (Entry entry : entries.unconfirmed()) {
        if (belongs(entry)) {
          add(entry.tx());
        }
      }
    }

    private boolean belongs(Entry entry) {
      return entries.spendsOwn(entry.tx()) == ofSpends;
    }

    boolean hasRoomFor(Tx tx) {
      return count < MAX_UNCONFIRMED && bytes + tx.raw().length() <= MAX_UNCONFIRMED_BYTES;
    }

    void add(Tx tx) {
      count++;
      bytes += tx.raw().length();
    }

    /** It is gone, and so nothing may hold those any more that it built on. */
    void release(Entry gone) {
      count--;
      bytes -= gone.tx().raw().length();
      for (Tx.Input input : gone.tx().inputs()) {
        Entry parent = entries.findUnconfirmed(input.outPoint().txid());
        if (parent != null) {
          forgettable().push(parent);
        }
      }
    }

    private Deque<Entry> forgettable() {
      if (forgettable == null) {
        List<Entry> old = new ArrayList<>(entries.unconfirmed());
        old.removeIf(entry -> !isForgettable(entry));
        old.sort(Comparator.comparingLong(entry -> entry.fact().seen()));
        forgettable = new ArrayDeque<>(old);
      }
      return forgettable;
    }

    private boolean isForgettable(Entry entry) {
      return !entry.isConfirmed()
          && belongs(entry)
          && !sightings.contains(entry.txid())
          && ((ofSpends || blocksLeft) ? entries.isOutdone(entry.tx()) : resolutions.isOver(entry));
    }

    @Nullable Entry nextForgettable() {
      // Nothing may build on it, and it may spend an own coin by now: that is looked at last.
      Deque<Entry> candidates = forgettable();
      while (!candidates.isEmpty()) {
        Entry entry = candidates.remove();
        if (entries.contains(entry.txid()) && isForgettable(entry) && !isSpent(entry)) {
          return entry;
        }
      }
      return null;
    }
  }
}
