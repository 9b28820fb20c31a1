package org.murmur.wallet.psbt;

import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.wallet.crypto.Hashes;

/** The forms of output scripts, byte by byte. */
final class ScriptForms {

  private static final int OP_1 = 0x51;
  private static final int OP_16 = 0x60;
  private static final int HASH = 20;
  private static final int LONG_HASH = 32;

  private static final Bytes KEY_HASH_START = Bytes.ofHex("76a914");
  private static final Bytes KEY_HASH_END = Bytes.ofHex("88ac");
  private static final Bytes SCRIPT_HASH_START = Bytes.ofHex("a914");
  private static final Bytes SCRIPT_HASH_END = Bytes.ofHex("87");

  private ScriptForms() {}

  static boolean isKeyHash(Bytes script) {
    return framed(script, KEY_HASH_START, KEY_HASH_END);
  }

  static boolean isScriptHash(Bytes script) {
    return framed(script, SCRIPT_HASH_START, SCRIPT_HASH_END);
  }

  private static boolean framed(Bytes script, Bytes start, Bytes end) {
    int hashEnd = start.length() + HASH;
    return script.length() == hashEnd + end.length()
        && script.slice(0, start.length()).equals(start)
        && script.slice(hashEnd, script.length()).equals(end);
  }

  /** Pay to witness public key hash. */
  static boolean isWitnessKeyHash(Bytes script) {
    return isProgram(script, 0, HASH);
  }

  /** Pay to witness script hash. */
  static boolean isWitnessScriptHash(Bytes script) {
    return isProgram(script, 0, LONG_HASH);
  }

  static boolean isTaproot(Bytes script) {
    return isProgram(script, OP_1, LONG_HASH);
  }

  private static boolean isProgram(Bytes script, int opcode, int length) {
    return script.length() == 2 + length && script.at(0) == opcode && script.at(1) == length;
  }

  /** Any witness program (BIP-0141). */
  static boolean isWitness(Bytes script) {
    int length = script.length();
    if (length < 4 || length > 42 || script.at(1) != length - 2) {
      return false;
    }
    int opcode = script.at(0);
    return opcode == 0 || (opcode >= OP_1 && opcode <= OP_16);
  }

  /** {@code OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG}. */
  static Bytes keyHash(Bytes hash) {
    return new ByteWriter().bytes(KEY_HASH_START).bytes(hash).bytes(KEY_HASH_END).toBytes();
  }

  /** The hash in a script of key hash. */
  static Bytes hashIn(Bytes keyHashScript) {
    return keyHashScript.slice(KEY_HASH_START.length(), KEY_HASH_START.length() + HASH);
  }

  /** {@code OP_HASH160 <20> OP_EQUAL} of a redeem script. */
  static Bytes scriptHash(Bytes redeemScript) {
    return new ByteWriter()
        .bytes(SCRIPT_HASH_START)
        .bytes(hash160(redeemScript))
        .bytes(SCRIPT_HASH_END)
        .toBytes();
  }

  /** {@code 0 <32>} of a witness script. */
  static Bytes witnessScriptHash(Bytes witnessScript) {
    byte[] hash = Hashes.sha256(witnessScript.unsafeArray());
    return program(0, Bytes.wrap(hash));
  }

  /** {@code 0 <20>} of a public key. */
  static Bytes witnessKeyHash(Bytes publicKey) {
    return program(0, hash160(publicKey));
  }

  /** {@code 1 <32>} of an output key. */
  static Bytes taproot(Bytes outputKey) {
    return program(OP_1, outputKey);
  }

  private static Bytes program(int opcode, Bytes data) {
    return new ByteWriter().uint8(opcode).uint8(data.length()).bytes(data).toBytes();
  }

  static Bytes hash160(Bytes data) {
    return Bytes.wrap(Hashes.hash160(data.unsafeArray()));
  }
}
