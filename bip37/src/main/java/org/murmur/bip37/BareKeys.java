package org.murmur.bip37;

/**
 * Recognises outputs to bare public keys, P2PK and bare multisig, exactly as Bitcoin Core's {@code
 * Solver} does. For these {@link UpdateFlag#P2PUBKEY_ONLY} inserts the outpoint.
 *
 * <p>A key has 33 bytes and begins with 2 or 3, or 65 bytes and begins with 4, 6 or 7. It is not
 * checked to be a point of the curve.
 */
final class BareKeys {

  private static final int COMPRESSED = 33;
  private static final int UNCOMPRESSED = 65;
  private static final int OP_1 = 0x51;
  private static final int OP_16 = 0x60;
  private static final int OP_CHECKSIG = 0xac;
  private static final int OP_CHECKMULTISIG = 0xae;

  /**
   * Maximum number of keys of a multisig script (consensus; {@code MAX_PUBKEYS_PER_MULTISIG} in
   * Core).
   */
  private static final int MAX_KEYS = 20;

  private BareKeys() {}

  /**
   * Returns whether a script is P2PK or bare multisig.
   *
   * @param pushes a cursor to work with
   */
  static boolean paidBy(byte[] script, ScriptPushes pushes) {
    if (script.length == 0) {
      return false;
    }
    return switch (script[script.length - 1] & 0xff) {
      case OP_CHECKSIG -> isPayToKey(script);
      case OP_CHECKMULTISIG -> isMultisig(pushes.over(script));
      default -> false;
    };
  }

  private static boolean isPayToKey(byte[] script) {
    int size = script[0];
    return (size == COMPRESSED || size == UNCOMPRESSED)
        && script.length == size + 2
        && isKey(script, 1, size);
  }

  private static boolean isMultisig(ScriptPushes pushes) {
    if (!pushes.next()) {
      return false;
    }
    int required = number(pushes);
    if (required < 1) {
      return false;
    }
    int keys = 0;
    boolean more = pushes.next();
    while (more && isKey(pushes.array(), pushes.offset(), pushes.length())) {
      keys++;
      more = pushes.next();
    }
    // The walk must have stopped at the number of keys, followed by OP_CHECKMULTISIG only.
    return more
        && keys >= required
        && keys == number(pushes)
        && pushes.position() == pushes.array().length - 1;
  }

  /** The number 1 to 20 at this position in its shortest form, or -1. */
  private static int number(ScriptPushes pushes) {
    int opcode = pushes.opcode();
    if (opcode >= OP_1 && opcode <= OP_16) {
      return opcode - OP_1 + 1;
    }
    // Up to 16 the shortest form is an operation; above, a push of one byte.
    if (opcode == 1) {
      int value = pushes.array()[pushes.offset()];
      return value > 16 && value <= MAX_KEYS ? value : -1;
    }
    return -1;
  }

  private static boolean isKey(byte[] array, int offset, int length) {
    if (length == COMPRESSED) {
      return array[offset] == 2 || array[offset] == 3;
    }
    return length == UNCOMPRESSED
        && (array[offset] == 4 || array[offset] == 6 || array[offset] == 7);
  }
}
