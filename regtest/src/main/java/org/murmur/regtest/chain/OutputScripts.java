package org.murmur.regtest.chain;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;

/** Output scripts of the common types, from the hash or key they pay to. */
public final class OutputScripts {

  private static final int OP_TRUE = 0x51;
  private static final int OP_RETURN = 0x6a;
  private static final int OP_DROP = 0x75;
  private static final int OP_DUP = 0x76;
  private static final int OP_EQUAL = 0x87;
  private static final int OP_EQUALVERIFY = 0x88;
  private static final int OP_HASH160 = 0xa9;
  private static final int OP_CHECKSIG = 0xac;

  private OutputScripts() {}

  /** Pays by P2PKH to the hash of a public key, 20 bytes of HASH160. */
  public static Bytes payToPubKeyHash(Bytes keyHash) {
    return new ByteWriter(25)
        .uint8(OP_DUP)
        .uint8(OP_HASH160)
        .varBytes(sized(keyHash, 20))
        .uint8(OP_EQUALVERIFY)
        .uint8(OP_CHECKSIG)
        .toBytes();
  }

  /** Pays by P2SH to the hash of a script, 20 bytes of HASH160 (BIP-0016). */
  public static Bytes payToScriptHash(Bytes scriptHash) {
    return new ByteWriter(23)
        .uint8(OP_HASH160)
        .varBytes(sized(scriptHash, 20))
        .uint8(OP_EQUAL)
        .toBytes();
  }

  /** Pays by P2WPKH to the hash of a public key, 20 bytes of HASH160 (BIP-0141). */
  public static Bytes payToWitnessPubKeyHash(Bytes keyHash) {
    return new ByteWriter(22).uint8(0).varBytes(sized(keyHash, 20)).toBytes();
  }

  /** Pays by P2WSH to the hash of a witness script, 32 bytes of SHA-256 (BIP-0141). */
  public static Bytes payToWitnessScriptHash(Bytes scriptHash) {
    return new ByteWriter(34).uint8(0).varBytes(sized(scriptHash, 32)).toBytes();
  }

  /** Pays by P2TR to an output key, the x-only 32 bytes after its tweak (BIP-0341). */
  public static Bytes payToTaproot(Bytes outputKey) {
    return new ByteWriter(34).uint8(OP_TRUE).varBytes(sized(outputKey, 32)).toBytes();
  }

  /**
   * Pays to a program that is drawn, so that nobody can spend it. All types occur, and most are
   * native segwit.
   */
  public static Bytes foreign(Dice dice) {
    return switch (dice.weighted(15, 10, 45, 5, 25)) {
      case 0 -> payToPubKeyHash(dice.bytes(20));
      case 1 -> payToScriptHash(dice.bytes(20));
      case 2 -> payToWitnessPubKeyHash(dice.bytes(20));
      case 3 -> payToWitnessScriptHash(dice.bytes(32));
      default -> payToTaproot(dice.bytes(32));
    };
  }

  /** Carries up to 75 bytes of data, and can never be spent (OP_RETURN). */
  public static Bytes data(Bytes data) {
    return new ByteWriter(2 + data.length()).uint8(OP_RETURN).varBytes(data).toBytes();
  }

  /**
   * Returns a witness script that needs no signature: {@code <4 bytes> OP_DROP OP_TRUE}. The number
   * makes the script, and so the output that pays to it, one of many.
   */
  public static Bytes anyoneCanSpend(int number) {
    return new ByteWriter(7).uint8(4).int32(number).uint8(OP_DROP).uint8(OP_TRUE).toBytes();
  }

  /** Pays to {@link #anyoneCanSpend} of a number. */
  public static Bytes payToAnyone(int number) {
    return payToWitnessScriptHash(sha256(anyoneCanSpend(number)));
  }

  public static Bytes sha256(Bytes script) {
    try {
      return Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(script.unsafeArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  private static Bytes sized(Bytes bytes, int length) {
    if (bytes.length() != length) {
      throw new IllegalArgumentException(
          "program of " + bytes.length() + " bytes, expected " + length);
    }
    return bytes;
  }
}
