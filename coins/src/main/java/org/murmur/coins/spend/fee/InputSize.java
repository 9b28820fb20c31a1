package org.murmur.coins.spend.fee;

import org.murmur.coins.keys.OutputType;

/**
 * The size of what an input needs to be valid, at its largest.
 *
 * <p>Our signer, like Core's, repeats an ECDSA signature until its R needs no leading zero byte
 * (low R). Then the longest one has 71 bytes: 6 of DER, twice 32, and one for the type of hash.
 * Other signers may need one byte more.
 *
 * @param scriptSig bytes of the input's script, without its length
 * @param witness bytes of the witness stack with its count and lengths; 0 if the input has none
 */
public record InputSize(int scriptSig, int witness) {

  /** Weight of a byte that is not witness data (BIP-0141). */
  static final int WEIGHT_PER_BYTE = 4;

  /** DER signature with low R and low S, and the byte for the type of hash. */
  private static final int LOW_R_SIGNATURE = 71;

  /** DER signature with low S only, and the byte for the type of hash. */
  private static final int SIGNATURE = 72;

  private static final int COMPRESSED_KEY = 33;

  /** A push of a version 0 program with a key hash. */
  private static final int REDEEM_SCRIPT_PUSH = 23;

  /** A Schnorr signature (BIP-0340) under the default type of hash, which takes no byte. */
  private static final int SCHNORR_SIGNATURE = 64;

  /** Outpoint and sequence number. */
  private static final int FIXED = 40;

  /** Checks the range. */
  public InputSize {
    if (scriptSig < 0 || witness < 0) {
      throw new IllegalArgumentException(
          "input of " + scriptSig + " and " + witness + " bytes, expected no negative size");
    }
  }

  /**
   * Returns the size of an input that our own signer signs.
   *
   * @param type the script of the coin
   * @return the largest size
   */
  public static InputSize of(OutputType type) {
    return of(type, LOW_R_SIGNATURE);
  }

  /**
   * Returns the size of an input that another signer signs, which may not look for a low R.
   *
   * @param type the script of the coin
   * @return the largest size
   */
  public static InputSize ofOtherSigner(OutputType type) {
    return of(type, SIGNATURE);
  }

  private static InputSize of(OutputType type, int signature) {
    int witness = 1 + 1 + signature + 1 + COMPRESSED_KEY;
    return switch (type) {
      case P2PKH -> new InputSize(1 + signature + 1 + COMPRESSED_KEY, 0);
      case P2SH_P2WPKH -> new InputSize(REDEEM_SCRIPT_PUSH, witness);
      case P2WPKH -> new InputSize(0, witness);
      case P2TR -> new InputSize(0, 1 + 1 + SCHNORR_SIGNATURE);
    };
  }

  /** {@return whether the input has witness data; false for the scripts older than BIP-0141} */
  public boolean hasWitness() {
    return witness > 0;
  }

  /** {@return the weight of the input in weight units} */
  public int weight() {
    return WEIGHT_PER_BYTE * strippedSize() + witness;
  }

  /** Bytes without witness data. */
  int strippedSize() {
    return FIXED + CompactSize.bytes(scriptSig) + scriptSig;
  }
}
