package org.murmur.wallet.ledger;

/**
 * What a wallet owns, in three sums that add up to the whole.
 *
 * @param confirmed satoshi in mature outputs that no confirmed transaction spends
 * @param unconfirmed satoshi by which the pending transactions change the whole, without what
 *     blocks spend of them already; may be negative
 * @param immature satoshi in coinbases that may not be spent yet
 * @param unheard satoshi, the part of {@code unconfirmed} that is due to payments which the user
 *     sent and no peer is known to have accepted
 */
public record Balance(long confirmed, long unconfirmed, long immature, long unheard) {

  /**
   * Makes sums of what peers or blocks are known to have.
   *
   * @param confirmed satoshi in mature outputs that no confirmed transaction spends
   * @param unconfirmed satoshi by which the pending transactions change the whole
   * @param immature satoshi in coinbases that may not be spent yet
   */
  public Balance(long confirmed, long unconfirmed, long immature) {
    this(confirmed, unconfirmed, immature, 0);
  }

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
