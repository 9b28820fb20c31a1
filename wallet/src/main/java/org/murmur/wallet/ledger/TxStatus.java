package org.murmur.wallet.ledger;

/** What has become of a transaction. */
public enum TxStatus {
  /** In a block of the active chain. */
  CONFIRMED,
  /** Waiting for a block, as far as we know. */
  PENDING,
  /** Another transaction, confirmed or seen later, spends one of its inputs. */
  REPLACED,
  /** A peer that told its whole memory pool did not have it any more; it may come back. */
  MISSING,
  /**
   * It can not confirm any more: a reorganised coinbase, or it spends an output of one that is
   * gone.
   */
  DEAD
}
