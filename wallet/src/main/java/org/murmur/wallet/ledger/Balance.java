package org.murmur.wallet.ledger;

/**
 * What a wallet owns, in three sums that add up to the whole.
 *
 * @param confirmed satoshi in mature outputs that no confirmed transaction spends
 * @param unconfirmed satoshi by which the pending transactions change the whole, without what
 *     blocks spend of them already; may be negative
 * @param immature satoshi in coinbases that may not be spent yet
 */
public record Balance(long confirmed, long unconfirmed, long immature) {

  /** Nothing. */
  public static final Balance ZERO = new Balance(0, 0, 0);

  /**
   * Returns the whole.
   *
   * @return satoshi
   */
  public long total() {
    return confirmed + unconfirmed + immature;
  }
}
