package org.murmur.coins.internal.sign;

import org.murmur.bip37.tx.Tx;

/** The result of signing: a signed transaction, or the reason for refusal. */
public sealed interface SignOutcome {

  /** Why a transaction is not signed. */
  enum Reason {
    /** There is not one spent output for each input. */
    INPUTS_DO_NOT_MATCH,

    /** Two inputs spend the same output. */
    SPENT_TWICE,

    /** An input has a script or witness data. */
    ALREADY_SIGNED,

    /** A value is negative or above 21,000,000 BTC, or the sum of the outputs is. */
    VALUE_OUT_OF_RANGE,

    /** The outputs are worth more than the inputs. */
    OUTPUTS_EXCEED_INPUTS,

    /** The key does not give the script of the spent output. */
    SCRIPT_OF_ANOTHER_KEY,

    /** The signed transaction is heavier than its fee was computed for. */
    HEAVIER_THAN_ESTIMATED
  }

  /**
   * A signed transaction. Each signature has been verified.
   *
   * @param tx with all signatures
   * @param estimate the caller's estimate of the weight, in weight units
   */
  record Signed(Tx tx, long estimate) implements SignOutcome {

    /**
     * Returns by how much the transaction is lighter than the estimate. Few signatures are shorter
     * than estimated.
     *
     * @return weight units, not negative
     */
    public long unusedWeight() {
      return estimate - tx.weight();
    }
  }

  /**
   * No signature was made, or all were dropped.
   *
   * @param reason why
   * @param input index of the input at fault; -1 if it is about none
   * @param excess by how much: satoshi for {@link Reason#OUTPUTS_EXCEED_INPUTS}, weight units for
   *     {@link Reason#HEAVIER_THAN_ESTIMATED}, else 0
   */
  record Refused(Reason reason, int input, long excess) implements SignOutcome {

    static Refused because(Reason reason) {
      return new Refused(reason, -1, 0);
    }

    static Refused because(Reason reason, int input) {
      return new Refused(reason, input, 0);
    }
  }
}
