package org.murmur.wallet.internal.ledger;

import org.murmur.bip37.bytes.OutPoint;
import org.murmur.coins.spend.InputCoin;

/**
 * A coin that no confirmed or pending transaction spends.
 *
 * @param outPoint where it is
 * @param value in satoshi
 * @param script number of the own script it pays
 * @param height its block's, or -1 while pending
 * @param coinbase whether it was newly created
 * @param immature whether it is too young to be spent
 */
public record Unspent(
    OutPoint outPoint, long value, int script, int height, boolean coinbase, boolean immature) {

  /** Makes a coin, immature if it is too young at the active chain's height. */
  public static Unspent of(
      OutPoint outPoint, long value, int script, int height, boolean coinbase, int tip) {
    boolean immature = coinbase && height >= 0 && tip - height + 1 < InputCoin.COINBASE_MATURITY;
    return new Unspent(outPoint, value, script, height, coinbase, immature);
  }
}
