package org.murmur.wallet.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;

/**
 * The bound on what is kept without a block that holds it, while one batch of news is taken in.
 *
 * <p>Payments that do not count any more make room, the one seen first before others. One that
 * counts never does: else a flood would wash away the true ones that were there before it. So it
 * only hides those that come after, until they are in a block or peers have denied the flood. What
 * spends own coins never makes room, for it may be what the user sent.
 */
final class WaitingRoom {

  /**
   * Unconfirmed transactions that are kept at once and spend nothing of the wallet's, and as many
   * that do. Anybody makes them up for nothing, without a key. Who really waits for a thousand
   * payments sees the others when they are in a block.
   */
  static final int MOST_UNCONFIRMED = 1_000;

  /** Bytes of either kind: ten of the largest that nodes relay, or a thousand of 4,000 bytes. */
  static final long MOST_UNCONFIRMED_BYTES = 4_000_000;

  private final Entries entries;
  private final Verdicts verdicts;
  private final Map<Hash256, Sighting> sightings;
  private final Ripples ripples;
  // What is unconfirmed and spends nothing of the wallet's, and what does; counted when needed.
  private @Nullable Crowd payments;
  private @Nullable Crowd spends;
  private @Nullable Deque<Entry> forgettable;

  /**
   * Opens the room.
   *
   * @param sightings what the news say again, and so does not make room
   * @param ripples is told of what makes room
   */
  WaitingRoom(
      Entries entries, Verdicts verdicts, Map<Hash256, Sighting> sightings, Ripples ripples) {
    this.entries = entries;
    this.verdicts = verdicts;
    this.sightings = sightings;
    this.ripples = ripples;
  }

  /** Counts one more, if it may be kept; others may have left the books for it. */
  boolean take(Tx tx) {
    if (entries.spendsOwn(tx)) {
      if (spends == null) {
        spends = crowd(true);
      }
      return spends.take(tx);
    }
    if (payments == null) {
      payments = crowd(false);
    }
    while (!payments.take(tx)) {
      Entry gone = nextForgettable();
      if (gone == null) {
        return false;
      }
      ripples.forget(gone);
      entries.remove(gone);
      payments.release(gone.tx());
    }
    return true;
  }

  private Crowd crowd(boolean spending) {
    Crowd crowd = new Crowd();
    for (Entry entry : entries.unconfirmed()) {
      if (entries.spendsOwn(entry.tx()) == spending) {
        crowd.add(entry.tx());
      }
    }
    return crowd;
  }

  private @Nullable Entry nextForgettable() {
    if (forgettable == null) {
      forgettable = forgettable();
    }
    // Nothing may build on it, and it may spend an own coin by now: that is looked at last.
    while (!forgettable.isEmpty()) {
      Entry entry = forgettable.remove();
      if (!entry.isConfirmed() && !entries.spendsOwn(entry.tx()) && !isSpent(entry)) {
        return entry;
      }
    }
    return null;
  }

  private Deque<Entry> forgettable() {
    List<Entry> old = new ArrayList<>();
    for (Entry entry : entries.unconfirmed()) {
      if (!verdicts.mayCount(entry) && !sightings.containsKey(entry.txid())) {
        old.add(entry);
      }
    }
    old.sort(Comparator.comparingLong(entry -> entry.fact().seen()));
    return new ArrayDeque<>(old);
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
  private static final class Crowd {
    private int count;
    private long bytes;

    boolean take(Tx tx) {
      if (count >= MOST_UNCONFIRMED || bytes + tx.raw().length() > MOST_UNCONFIRMED_BYTES) {
        return false;
      }
      add(tx);
      return true;
    }

    void add(Tx tx) {
      count++;
      bytes += tx.raw().length();
    }

    void release(Tx tx) {
      count--;
      bytes -= tx.raw().length();
    }
  }
}
