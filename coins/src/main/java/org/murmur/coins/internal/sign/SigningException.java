package org.murmur.coins.internal.sign;

/** A transaction is not signed: no signature was made, or all were dropped. */
public final class SigningException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Why a transaction is not signed. */
  public enum Reason {
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

  private final Reason reason;
  private final int input;

  SigningException(Reason reason, int input) {
    super(reason + (input < 0 ? "" : " at input " + input));
    this.reason = reason;
    this.input = input;
  }

  public Reason reason() {
    return reason;
  }

  /** Returns the index of the input at fault; -1 if it is about none. */
  int input() {
    return input;
  }
}
