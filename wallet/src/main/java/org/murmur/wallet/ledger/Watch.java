package org.murmur.wallet.ledger;

import org.murmur.bip37.bytes.OutPoint;

/**
 * An outpoint whose spend matters: an output of the wallet, or an input of a payment that is or was
 * pending.
 *
 * @param outPoint which
 * @param script number of the own script it pays, or {@link OwnScripts#FOREIGN} for the input of a
 *     pending payment
 * @param birth the lowest height that can spend it
 * @param end the height that spent it, or {@link #OPEN}
 */
public record Watch(OutPoint outPoint, int script, int birth, int end) {

  /** No block has spent it. */
  public static final int OPEN = Integer.MAX_VALUE;

  /**
   * Returns whether it is the wallet's own.
   *
   * @return false for the input of somebody's pending payment
   */
  public boolean own() {
    return script != OwnScripts.FOREIGN;
  }
}
