package org.murmur.wallet.ledger;

/** What is known of a transaction beyond blocks: whether anybody but us is known to have it. */
public enum Repute {
  /** A peer announced it or handed it over, or a block held it. */
  HEARD,
  /** The peers do not have it any more; it may come back. */
  DENIED,
  /** The user sent it. Peers fetched it, but none is known to have accepted it. */
  SENT,
  /** The user forgot it, and no peer has announced it since. */
  ABANDONED;

  /** Whether a transaction of such repute may count while no block holds it. */
  boolean mayCount() {
    return this == HEARD || this == SENT;
  }
}
