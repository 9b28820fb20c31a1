package org.murmur.coins.internal.sign;

/**
 * The parts that a signature commits to: a byte after the signature.
 *
 * @param code 0 to 3 or 0x81 to 0x83; 0 is for taproot only, and commits as 1 does
 */
record HashType(int code) {

  /** All inputs and outputs; taproot writes no byte for it (BIP-0341). */
  static final HashType DEFAULT = new HashType(0);

  /** All inputs and outputs. */
  static final HashType ALL = new HashType(1);

  private static final int NONE = 2;
  private static final int SINGLE = 3;
  private static final int ANYONE_CAN_PAY = 0x80;

  HashType {
    int base = code & ~ANYONE_CAN_PAY;
    if (base < 0 || base > SINGLE || code == ANYONE_CAN_PAY) {
      throw new IllegalArgumentException("unknown type of signature hash: " + code);
    }
  }

  /** Whether other inputs are not committed to. */
  boolean anyoneCanPay() {
    return (code & ANYONE_CAN_PAY) != 0;
  }

  /** Whether no output is committed to. */
  boolean none() {
    return (code & ~ANYONE_CAN_PAY) == NONE;
  }

  /** Whether the output with the input's index is the only one that is committed to. */
  boolean single() {
    return (code & ~ANYONE_CAN_PAY) == SINGLE;
  }

  /** Whether all outputs are committed to. */
  boolean allOutputs() {
    return !none() && !single();
  }
}
