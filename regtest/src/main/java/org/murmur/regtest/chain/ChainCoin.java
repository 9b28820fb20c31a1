package org.murmur.regtest.chain;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;

/**
 * An unspent output of the active chain, in satoshi. One of a coinbase can be spent only after 100
 * confirmations.
 */
public record ChainCoin(OutPoint outPoint, long value, Bytes script, int height, boolean coinbase) {

  /** Confirmations after which a coinbase can be spent (COINBASE_MATURITY). */
  public static final int MATURITY = 100;

  /** Returns whether a block at a height may spend it: not a coinbase that is too young. */
  public boolean spendableAt(int spendingHeight) {
    return !coinbase || spendingHeight - height >= MATURITY;
  }
}
