package org.murmur.wallet.internal.ledger;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.Confirmation;

/**
 * All that is known of one transaction; everything else in the books follows from these.
 *
 * @param seen a number that grows with every sighting, in a block or relayed: of two conflicting
 *     pending transactions, the one with the higher number counts
 * @param firstSeen when it was first seen, seconds since 1970
 * @param pendingSince the lowest height that could have confirmed it since it was last pending, or
 *     {@link #NEVER_PENDING}
 * @param repute whether the user sent it, and whether a peer is known to have it; {@link
 *     Repute#isHeld held} if a block holds it
 * @param confirmation where it is confirmed; null while it is not
 * @param voucher who is known to have vouched for its spends of own coins
 */
public record Fact(
    Tx tx,
    long seen,
    long firstSeen,
    int pendingSince,
    Repute repute,
    @Nullable Confirmation confirmation,
    Voucher voucher) {

  /** The voucher for the spends of own coins, from least to most. */
  public enum Voucher {
    /** It spends none, or their signatures were not checked. */
    NOBODY,
    /** A block held it that left the chain, which says nothing about signatures. */
    FORMER_BLOCK,
    /** The owner of the coins signed it: the signatures were checked, or the user sent it. */
    OWNER,
    /** This wallet signed it, for payees whom its user named. */
    WALLET
  }

  /** It was first seen in a block. */
  public static final int NEVER_PENDING = -1;

  /**
   * {@return whether a peer or a block is known to have it, or to have had it; false as long as
   * only the user is known to have it}
   */
  public boolean isHeard() {
    return repute.isHeld() || repute == Repute.DENIED;
  }

  /**
   * {@return whether its spends of own coins count: a block holds it or held it, or their owner
   * signed it}
   */
  public boolean vouched() {
    return confirmation != null || voucher != Voucher.NOBODY;
  }

  /**
   * {@return whether the owner of its own coins is known to have signed it; false if only a block
   * that left the chain held it}
   */
  public boolean isOfOwner() {
    return voucher.compareTo(Voucher.OWNER) >= 0;
  }

  /** The same transaction without witness data, or with another repute or voucher. */
  Fact with(Tx copy, Repute now, Voucher by) {
    return new Fact(copy, seen, firstSeen, pendingSince, now, confirmation, by);
  }

  /** {@return the block's height, the height, or -1 while unconfirmed} */
  public int height() {
    return confirmation == null ? -1 : confirmation.height();
  }
}
