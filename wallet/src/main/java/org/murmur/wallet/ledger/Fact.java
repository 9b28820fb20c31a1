package org.murmur.wallet.ledger;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;

/**
 * All that is known of one transaction; everything else in the books follows from these.
 *
 * @param tx the transaction
 * @param seen a number that grows with every sighting, in a block or relayed: of two conflicting
 *     pending transactions, the one with the higher number counts
 * @param firstSeen when it was first seen, seconds since 1970
 * @param pendingSince the lowest height that could have confirmed it since it was last pending, or
 *     {@link #NEVER_PENDING}
 * @param repute whether the user sent it, and whether a peer is known to have it; {@link
 *     Repute#isHeld held} if a block holds it
 * @param confirmation where it is confirmed; null while it is not
 * @param vouched whether its spends of own coins are known to be signed by their owner: a block
 *     held it once, the user made it, or the signatures were checked
 */
public record Fact(
    Tx tx,
    long seen,
    long firstSeen,
    int pendingSince,
    Repute repute,
    @Nullable Confirmation confirmation,
    boolean vouched) {

  /** A block vouches for its transactions. */
  public Fact {
    vouched |= confirmation != null;
  }

  /** It was first seen in a block. */
  public static final int NEVER_PENDING = -1;

  /**
   * Returns whether a peer or a block is known to have it, or to have had it.
   *
   * @return false as long as only the user is known to have it
   */
  public boolean isHeard() {
    return repute.isHeld() || repute == Repute.DENIED;
  }

  /**
   * Returns the block's height.
   *
   * @return the height, or -1 while unconfirmed
   */
  public int height() {
    return confirmation == null ? -1 : confirmation.height();
  }
}
