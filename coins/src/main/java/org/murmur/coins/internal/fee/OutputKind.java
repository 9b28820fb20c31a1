package org.murmur.coins.internal.fee;

import org.murmur.bip37.bytes.Bytes;

/** The form of an output's script, as an observer sees it. */
public enum OutputKind {
  /** Pay to public key hash. */
  P2PKH,

  /** Pay to script hash; an observer cannot see which script. */
  P2SH,

  /** Pay to witness public key hash. */
  P2WPKH,

  /** Pay to witness script hash. */
  P2WSH,

  /** Taproot. */
  P2TR,

  /** Data; it cannot be spent. */
  OP_RETURN,

  /** Any other script, for instance of a later witness version. */
  OTHER;

  private static final int DUP = 0x76;
  private static final int HASH160 = 0xa9;
  private static final int EQUALVERIFY = 0x88;
  private static final int EQUAL = 0x87;
  private static final int CHECKSIG = 0xac;
  private static final int RETURN = 0x6a;
  private static final int OP_1 = 0x51;
  private static final int OP_16 = 0x60;
  private static final int KEY_HASH = 20;
  private static final int HASH = 32;

  /**
   * Returns the form of a script.
   *
   * @param script the scriptPubKey
   */
  public static OutputKind of(Bytes script) {
    if (isWitnessProgram(script)) {
      return ofProgram(opcode(script, 0), script.length() - 2);
    }
    if (!script.isEmpty() && opcode(script, 0) == RETURN) {
      return OP_RETURN;
    }
    if (isKeyHash(script)) {
      return P2PKH;
    }
    return isScriptHash(script) ? P2SH : OTHER;
  }

  private static OutputKind ofProgram(int version, int length) {
    if (version == 0) {
      return length == KEY_HASH ? P2WPKH : length == HASH ? P2WSH : OTHER;
    }
    return version == OP_1 && length == HASH ? P2TR : OTHER;
  }

  /** A version and one push of 2 to 40 bytes (BIP-0141). */
  static boolean isWitnessProgram(Bytes script) {
    int length = script.length();
    if (length < 4 || length > 42 || script.at(1) != length - 2) {
      return false;
    }
    int version = opcode(script, 0);
    return version == 0 || (version >= OP_1 && version <= OP_16);
  }

  private static boolean isKeyHash(Bytes script) {
    return script.length() == KEY_HASH + 5
        && opcode(script, 0) == DUP
        && opcode(script, 1) == HASH160
        && opcode(script, 2) == KEY_HASH
        && opcode(script, KEY_HASH + 3) == EQUALVERIFY
        && opcode(script, KEY_HASH + 4) == CHECKSIG;
  }

  private static boolean isScriptHash(Bytes script) {
    return script.length() == KEY_HASH + 3
        && opcode(script, 0) == HASH160
        && opcode(script, 1) == KEY_HASH
        && opcode(script, KEY_HASH + 2) == EQUAL;
  }

  private static int opcode(Bytes script, int index) {
    return script.at(index) & 0xff;
  }
}
