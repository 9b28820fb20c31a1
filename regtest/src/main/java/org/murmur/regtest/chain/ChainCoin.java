package org.murmur.regtest.chain;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;

/**
 * An unspent output of the active chain.
 *
 * @param outPoint which output
 * @param value in satoshi
 * @param script its scriptPubKey
 * @param height of the block that made it
 * @param coinbase whether it can be spent only after 100 confirmations
 */
public record ChainCoin(OutPoint outPoint, long value, Bytes script, int height, boolean coinbase) {

  /** Confirmations after which a coinbase can be spent (COINBASE_MATURITY). */
  public static final int MATURITY = 100;

  /**
   * Returns whether a block may spend it.
   *
   * @param spendingHeight the height of that block
   * @return false for a coinbase that is too young
   */
  public boolean spendableAt(int spendingHeight) {
    return !coinbase || spendingHeight - height >= MATURITY;
  }
}
