package org.murmur.wallet.ledger;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;

/** All that one batch of news says of one transaction. */
final class Sighting {

  private Tx tx;
  private @Nullable Confirmation confirmation;
  private long seen;
  // Whether nobody but the user speaks of it, and whether the user does.
  private boolean unheard;
  private boolean sent;

  Sighting(Tx tx) {
    this.tx = tx;
  }

  Tx tx() {
    return tx;
  }

  Hash256 txid() {
    return tx.txid();
  }

  boolean isConfirmed() {
    return confirmation != null;
  }

  void confirm(Confirmation where, long number) {
    confirmation = where;
    seen = number;
  }

  void relay(long number) {
    seen = number;
    unheard = false;
  }

  /** The user sends it, which says nothing of what peers have. */
  void send(long number) {
    seen = number;
    sent = true;
    unheard = true;
  }

  boolean isSent() {
    return sent;
  }

  private Repute repute(@Nullable Fact old) {
    boolean known = old != null && old.repute() == Repute.HEARD;
    return unheard && !isConfirmed() && !known ? Repute.SENT : Repute.HEARD;
  }

  /** Keeps witness data if any copy has it. */
  Sighting richer(Tx other) {
    if (other.hasWitness() && !tx.hasWitness()) {
      tx = other;
    }
    return this;
  }

  Fact fact(@Nullable Fact old, LedgerInput news) {
    if (old == null) {
      int since = confirmation == null ? news.tip() + 1 : Fact.NEVER_PENDING;
      return new Fact(tx, seen, news.time(), since, repute(null), confirmation);
    }
    Tx best = old.tx().hasWitness() ? old.tx() : tx;
    Confirmation where = confirmation == null ? old.confirmation() : confirmation;
    // Relay of what is confirmed already says nothing new.
    long number = confirmation == null && where != null ? old.seen() : seen;
    if (where != null && where.equals(old.confirmation())) {
      number = old.seen();
    }
    return new Fact(best, number, old.firstSeen(), old.pendingSince(), repute(old), where);
  }
}
