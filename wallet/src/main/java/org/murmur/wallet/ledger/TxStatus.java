package org.murmur.wallet.ledger;

/** The status of a transaction. */
public enum TxStatus {
  /** In a block of the active chain. */
  CONFIRMED,
  /** Waiting for a block, as far as we know. */
  PENDING,
  /** Another transaction, confirmed or seen later, spends one of its inputs. */
  REPLACED,
  /**
   * A peer that announced its whole memory pool did not have it any more, and the user did not send
   * it; it may come back.
   */
  MISSING,
  /** The user abandoned it, and no peer has announced it since; if one does, it counts again. */
  ABANDONED,
  /**
   * It does not count. It is a coinbase of a disconnected block, or it exceeds nodes' package
   * limits, or it would give the wallet more than the 21,000,000 BTC that can exist. Or it spends
   * an output of a transaction that does not count, or of two that conflict.
   */
  DEAD;

  /** {@return whether it is in a block or waits for one} */
  public boolean counts() {
    return this == CONFIRMED || this == PENDING;
  }
}
