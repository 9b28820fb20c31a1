package org.murmur.coins.internal.fee;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.script.OutputKind;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.coins.spend.fee.TxWeight;

/**
 * The smallest output that nodes relay, as Core's GetDustThreshold counts it: an output is dust if
 * spending it at a low rate would cost more than it is worth.
 */
public final class Dust {

  /** Bytes to spend a witness output: 41 for the input, and a quarter of 107 for the witness. */
  private static final int SPEND_WITNESS = 67;

  /** Bytes to spend any other output. */
  private static final int SPEND = 148;

  /** A longer script cannot be spent (Core's MAX_SCRIPT_SIZE). */
  private static final int MAX_SCRIPT = 10_000;

  private Dust() {}

  /**
   * Returns the smallest value in satoshi that nodes relay in an output; 0 if the output cannot be
   * spent, because then it burdens no node.
   */
  public static long threshold(Bytes script) {
    return threshold(script, FeeRate.DUST);
  }

  /**
   * Returns the value in satoshi below which an output is not worth its size, when it and its
   * spending are paid at a rate; 0 if it cannot be spent.
   */
  public static long threshold(Bytes script, FeeRate rate) {
    if (script.length() > MAX_SCRIPT || OutputKind.of(script) == OutputKind.OP_RETURN) {
      return 0;
    }
    int spend = Scripts.isWitness(script) ? SPEND_WITNESS : SPEND;
    return rate.feeOf(TxWeight.outputSize(script) + spend);
  }
}
