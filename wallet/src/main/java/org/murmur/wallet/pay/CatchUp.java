package org.murmur.wallet.pay;

import org.murmur.coins.spend.fee.FeeRate;

/**
 * The facts known before a payment is signed.
 *
 * @param taken whether a connected peer may take a transaction; false if each of them said that it
 *     takes none, as nodes do that still download blocks
 * @param least the least fee rate that a connected peer relays (BIP-0133); zero if one of them did
 *     not say it
 */
public record CatchUp(boolean taken, FeeRate least) {

  /**
   * Refuses a payment that none of the peers would relay. Worth asking before it is signed.
   *
   * @param proposal planned after the peers were asked
   * @throws PaymentRefusedException with {@link Refusal.Plain#NOBODY_TAKES_PAYMENTS} or {@link
   *     Refusal.FeeRateBelowFilter}
   */
  public void requireTaken(Proposal proposal) {
    if (!taken) {
      throw PaymentRefusedException.because(Refusal.Plain.NOBODY_TAKES_PAYMENTS);
    }
    FeeRate paid = proposal.plan().paidRate();
    if (paid.compareTo(least) < 0) {
      throw PaymentRefusedException.because(new Refusal.FeeRateBelowFilter(least, paid));
    }
  }
}
