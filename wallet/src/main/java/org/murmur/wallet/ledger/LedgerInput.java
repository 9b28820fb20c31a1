package org.murmur.wallet.ledger;

import java.util.List;
import org.murmur.bip37.tx.Tx;

/**
 * News for the books, true matches and false ones alike.
 *
 * @param forkHeight confirmations above this height are void, before anything else
 * @param tip the active chain's height afterwards
 * @param confirmed transactions in blocks of the active chain
 * @param pending transactions that were relayed, in the order seen
 * @param time now, seconds since 1970
 */
public record LedgerInput(
    int forkHeight, int tip, List<Mined> confirmed, List<Tx> pending, long time) {

  /** Copies the lists. */
  public LedgerInput {
    confirmed = List.copyOf(confirmed);
    pending = List.copyOf(pending);
  }

  /**
   * A transaction in a block.
   *
   * @param tx the transaction
   * @param confirmation where
   */
  public record Mined(Tx tx, Confirmation confirmation) {}
}
