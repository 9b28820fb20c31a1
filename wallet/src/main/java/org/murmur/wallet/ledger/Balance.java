package org.murmur.wallet.ledger;

/**
 * The wallet's balance, in three sums that add up to the total.
 *
 * @param confirmed satoshi in mature outputs that no confirmed transaction spends
 * @param unconfirmed satoshi by which the pending transactions change the total, apart from pending
 *     outputs that a block spends already; may be negative
 * @param immature satoshi in coinbases that may not be spent yet
 * @param unheard satoshi, the part of {@code unconfirmed} due to payments that the user sent and no
 *     peer is known to have accepted
 */
public record Balance(long confirmed, long unconfirmed, long immature, long unheard) {

  /** An empty balance. */
  public static final Balance ZERO = new Balance(0, 0, 0, 0);

  /** {@return the total, satoshi} */
  public long total() {
    return confirmed + unconfirmed + immature;
  }
}
