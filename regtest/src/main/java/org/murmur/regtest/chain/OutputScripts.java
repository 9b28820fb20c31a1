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

  /**
   * Pays to the hash of a public key.
   *
   * @param keyHash 20 bytes, HASH160 of the key
   * @return the P2PKH script
   */
  public static Bytes payToPubKeyHash(Bytes keyHash) {
    return new ByteWriter(25)
        .uint8(OP_DUP)
        .uint8(OP_HASH160)
        .varBytes(sized(keyHash, 20))
        .uint8(OP_EQUALVERIFY)
        .uint8(OP_CHECKSIG)
        .toBytes();
  }

  /**
   * Pays to the hash of a script (BIP-0016).
   *
   * @param scriptHash 20 bytes, HASH160 of the script
   * @return the P2SH script
   */
  public static Bytes payToScriptHash(Bytes scriptHash) {
    return new ByteWriter(23)
        .uint8(OP_HASH160)
        .varBytes(sized(scriptHash, 20))
        .uint8(OP_EQUAL)
        .toBytes();
  }

  /**
   * Pays to the hash of a public key by witness (BIP-0141).
   *
   * @param keyHash 20 bytes, HASH160 of the key
   * @return the P2WPKH script
   */
  public static Bytes payToWitnessPubKeyHash(Bytes keyHash) {
    return new ByteWriter(22).uint8(0).varBytes(sized(keyHash, 20)).toBytes();
  }

  /**
   * Pays to the hash of a witness script (BIP-0141).
   *
   * @param scriptHash 32 bytes, SHA-256 of the script
   * @return the P2WSH script
   */
  public static Bytes payToWitnessScriptHash(Bytes scriptHash) {
    return new ByteWriter(34).uint8(0).varBytes(sized(scriptHash, 32)).toBytes();
  }

  /**
   * Pays to a taproot output key (BIP-0341).
   *
   * @param outputKey 32 bytes, the x-only key after its tweak
   * @return the P2TR script
   */
  public static Bytes payToTaproot(Bytes outputKey) {
    return new ByteWriter(34).uint8(OP_TRUE).varBytes(sized(outputKey, 32)).toBytes();
  }

  /**
   * Carries data and can never be spent.
   *
   * @param data up to 75 bytes
   * @return the OP_RETURN script
   */
  public static Bytes data(Bytes data) {
    return new ByteWriter(2 + data.length()).uint8(OP_RETURN).varBytes(data).toBytes();
  }

  /**
   * Returns a witness script that needs no signature.
   *
   * @param number makes the script, and so the output that pays to it, one of many
   * @return {@code <4 bytes> OP_DROP OP_TRUE}
   */
  public static Bytes anyoneCanSpend(int number) {
    return new ByteWriter(7).uint8(4).int32(number).uint8(OP_DROP).uint8(OP_TRUE).toBytes();
  }

  /**
   * Hashes a witness script.
   *
   * @param script the script
   * @return its SHA-256, 32 bytes
   */
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
