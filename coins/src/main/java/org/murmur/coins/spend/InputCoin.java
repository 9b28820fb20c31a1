package org.murmur.coins.spend;

import java.util.Optional;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.spend.fee.InputSize;

/**
 * A coin of the wallet, as far as a payment must know it.
 *
 * @param outPoint where it is
 * @param value in satoshi
 * @param script its scriptPubKey; coins with the same script are spent together
 * @param size what an input that spends it needs
 * @param confirmations 0 while pending, 1 in the newest block
 * @param coinbase whether it was newly created
 * @param own whether a payment of this wallet made it (change): all inputs are the wallet's, so
 *     only the wallet can replace it
 * @param frozen whether the user has excluded it from payments
 */
public record InputCoin(
    OutPoint outPoint,
    long value,
    Bytes script,
    InputSize size,
    int confirmations,
    boolean coinbase,
    boolean own,
    boolean frozen) {

  /**
   * Confirmations after which a coinbase counts as mature. Consensus allows to spend it in the
   * hundredth block after it. Core's wallet waits for one confirmation more (COINBASE_MATURITY + 1
   * in its GetBlocksToMaturity), and the sums are to be the same.
   */
  public static final int COINBASE_MATURITY = 101;

  /** Why a coin must not be spent. */
  public enum Obstacle {
    /** The user has frozen it. */
    FROZEN,

    /** It is newly created and has too few confirmations. */
    IMMATURE,

    /** A foreign payment made it, and is not in a block yet: it may be replaced. */
    FOREIGN_UNCONFIRMED
  }

  /** Checks the ranges. */
  public InputCoin {
    if (value < 0 || confirmations < 0) {
      throw new IllegalArgumentException(
          "coin of " + value + " sat with " + confirmations + " confirmations, expected 0 or more");
    }
  }

  /** {@return whether its transaction is not in a block; true without confirmations} */
  public boolean isUnconfirmed() {
    return confirmations == 0;
  }

  /** {@return why no payment may spend it; empty if one may} */
  public Optional<Obstacle> obstacle() {
    if (frozen) {
      return Optional.of(Obstacle.FROZEN);
    }
    if (coinbase && confirmations < COINBASE_MATURITY) {
      return Optional.of(Obstacle.IMMATURE);
    }
    return isUnconfirmed() && !own ? Optional.of(Obstacle.FOREIGN_UNCONFIRMED) : Optional.empty();
  }
}
