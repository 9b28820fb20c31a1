package org.murmur.wallet.ledger;

/** What has become of a transaction. */
public enum TxStatus {
  /** In a block of the active chain. */
  CONFIRMED,
  /** Waiting for a block, as far as we know. */
  PENDING,
  /** Another transaction, confirmed or seen later, spends one of its inputs. */
  REPLACED,
  /** A peer that announced its whole memory pool did not have it any more; it may come back. */
  MISSING,
  /** The user abandoned it, and no peer has announced it since; if one does, it counts again. */
  ABANDONED,
  /**
   * It does not count: a coinbase whose block left the chain, or it builds on one that does not
   * count, on two that exclude each other, or on more than nodes relay, or it would give the wallet
   * more than the 21,000,000 BTC that can exist.
   */
  DEAD
}
