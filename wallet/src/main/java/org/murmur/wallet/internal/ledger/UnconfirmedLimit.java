package org.murmur.wallet.internal.ledger;

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
 * The limit of unconfirmed transactions in the books, while one batch is processed.
 *
 * <p>Transactions that a block conflicts with make room, and so do payments that peers denied, with
 * their descendants, the first seen ones first. Transactions that count never make room, nor do
 * those that only lost to an unconfirmed one: otherwise a flood could evict earlier real ones. So a
 * flood only hides later ones, until they are in a block. Spends of own coins make room only if a
 * block conflicts with them, because the user may have sent them.
 */
final class UnconfirmedLimit {

  /**
   * Maximum number of unconfirmed transactions that spend none of the wallet's coins, and also of
   * those that do. They can be invented for nothing, without a key. A wallet that really waits for
   * a thousand payments sees the others when they are in a block.
   */
  static final int MAX_UNCONFIRMED = 1_000;

  /** Bytes of either kind: ten of the largest that nodes relay, or a thousand of 4,000 bytes. */
  static final long MAX_UNCONFIRMED_BYTES = 4_000_000;

  private final Entries entries;
  private final Resolutions resolutions;
  private final Set<Hash256> sightings;
  private final AffectedEntries touched;
  // Unconfirmed transactions that spend none of the wallet's coins, and those that do; counted on
  // demand.
  private @Nullable Crowd payments;
  private @Nullable Crowd spends;
  // The last decision may be wrong: transactions in conflict with a block may count again.
  private boolean blocksLeft;

  /**
   * Opens the limit for a batch, whose own transactions do not make room; {@code touched} records
   * those that do.
   */
  UnconfirmedLimit(
      Entries entries, Resolutions resolutions, Set<Hash256> sightings, AffectedEntries touched) {
    this.entries = entries;
    this.resolutions = resolutions;
    this.sightings = sightings;
    this.touched = touched;
  }

  /** Counts one more, if it may be kept; others may leave the books for it. */
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

  /** A block that held an unconfirmed transaction was disconnected with this batch. */
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

  /**
   * The unconfirmed transactions of one kind, which cost their maker nothing: their number and
   * bytes.
   */
  private final class Crowd {
    private final boolean ofSpends;
    private int count;
    private long bytes;
    // Candidates, the first seen ones first.
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

    /** It is gone, so it no longer keeps its ancestors. */
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
          && (entries.isForged(entry) || isOver(entry));
    }

    private boolean isOver(Entry entry) {
      return (ofSpends || blocksLeft) ? entries.isOutdone(entry.tx()) : resolutions.isOver(entry);
    }

    @Nullable Entry nextForgettable() {
      // It has no descendants, and may spend an own coin by now: that is checked last.
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
