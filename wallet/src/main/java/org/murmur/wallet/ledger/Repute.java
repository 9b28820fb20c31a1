package org.murmur.wallet.ledger;

/** What is known of a transaction beyond blocks: whether anybody but us is known to have it. */
public enum Repute {
  /** A peer announced it or handed it over, or a block held it. */
  HEARD,
  /** The peers do not have it any more; it may come back. */
  DENIED,
  /** The user sent it. Peers fetched it, but none is known to have accepted it. */
  SENT,
  /** The user sent it, no peer was ever known to have it, and it was abandoned or given up. */
  ABANDONED;

  /**
   * What it becomes when it counts no longer. Whether a peer ever had it is not forgotten by that.
   */
  Repute discounted() {
    return switch (this) {
      case HEARD, DENIED -> DENIED;
      case SENT, ABANDONED -> ABANDONED;
    };
  }

  /** Whether a transaction of such repute may count while no block holds it. */
  boolean mayCount() {
    return this == HEARD || this == SENT;
  }
}
