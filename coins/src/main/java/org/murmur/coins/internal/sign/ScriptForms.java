package org.murmur.coins.internal.sign;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.coins.internal.crypto.Hashes;

/** The forms of scripts that signatures satisfy, byte by byte. */
public final class ScriptForms {

  private static final int OP_1 = 0x51;
  private static final int OP_16 = 0x60;
  private static final int OP_NUMEQUAL = 0x9c;
  private static final int OP_CHECKSIG = 0xac;
  private static final int OP_CHECKMULTISIG = 0xae;
  private static final int OP_CHECKSIGADD = 0xba;
  private static final int HASH = 20;
  private static final int LONG_HASH = 32;

  private static final Bytes KEY_HASH_START = Bytes.ofHex("76a914");
  private static final Bytes KEY_HASH_END = Bytes.ofHex("88ac");
  private static final Bytes SCRIPT_HASH_START = Bytes.ofHex("a914");
  private static final Bytes SCRIPT_HASH_END = Bytes.ofHex("87");

  private ScriptForms() {}

  /**
   * A multisig script.
   *
   * @param threshold how many signatures it needs, from 1 to the number of keys
   * @param keys 33 or 65 bytes each, in the order of their signatures; 32 bytes in a tapscript
   */
  public record Multisig(int threshold, List<Bytes> keys) {

    /** Copies the list. */
    public Multisig {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Reads {@code threshold <key>… count OP_CHECKMULTISIG}, with at most 16 keys.
   *
   * @param script a redeem script or witness script
   * @return threshold and keys; empty if it is another script
   */
  public static Optional<Multisig> multisig(Bytes script) {
    int end = script.length() - 2;
    if (end < 1 || (script.at(end + 1) & 0xff) != OP_CHECKMULTISIG) {
      return Optional.empty();
    }
    List<Bytes> keys = new ArrayList<>();
    ByteReader in = new ByteReader(script.unsafeArray(), 1, end);
    try {
      while (in.remaining() > 0) {
        int length = in.uint8();
        if (length != 33 && length != 65) {
          return Optional.empty();
        }
        keys.add(in.bytes(length));
      }
    } catch (MalformedException e) {
      return Optional.empty();
    }
    int threshold = script.at(0) - OP_1 + 1;
    boolean counts =
        threshold >= 1
            && threshold <= keys.size()
            && keys.size() <= OP_16 - OP_1 + 1
            && script.at(end) - OP_1 + 1 == keys.size();
    return counts ? Optional.of(new Multisig(threshold, keys)) : Optional.empty();
  }

  /**
   * Reads {@code <key> OP_CHECKSIG}.
   *
   * @return the key, 33 or 65 bytes; empty if it is another script
   */
  public static Optional<Bytes> key(Bytes script) {
    int length = script.length() - 2;
    boolean fits =
        (length == 33 || length == 65)
            && script.at(0) == length
            && (script.at(1 + length) & 0xff) == OP_CHECKSIG;
    return fits ? Optional.of(script.slice(1, 1 + length)) : Optional.empty();
  }

  /**
   * Reads a script of a taproot output: {@code <key> OP_CHECKSIG}, or {@code <key> OP_CHECKSIG
   * <key> OP_CHECKSIGADD… threshold OP_NUMEQUAL} (BIP-0342) with a threshold of at most 16.
   *
   * @param script of a leaf
   * @return threshold and keys, 32 bytes each; empty if it is another script
   */
  public static Optional<Multisig> tapscript(Bytes script) {
    List<Bytes> keys = new ArrayList<>();
    ByteReader in = new ByteReader(script.unsafeArray());
    try {
      int push = in.uint8();
      while (push == LONG_HASH) {
        keys.add(in.bytes(LONG_HASH));
        if (in.uint8() != (keys.size() == 1 ? OP_CHECKSIG : OP_CHECKSIGADD)) {
          return Optional.empty();
        }
        if (in.remaining() == 0) {
          return keys.size() == 1 ? Optional.of(new Multisig(1, keys)) : Optional.empty();
        }
        push = in.uint8();
      }
      int threshold = push - OP_1 + 1;
      boolean whole =
          threshold >= 1
              && threshold <= Math.min(keys.size(), OP_16 - OP_1 + 1)
              && in.uint8() == OP_NUMEQUAL
              && in.remaining() == 0;
      return whole ? Optional.of(new Multisig(threshold, keys)) : Optional.empty();
    } catch (MalformedException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns whether a script is {@code OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG}.
   *
   * @param script a scriptPubKey
   * @return whether it has this form exactly
   */
  public static boolean isKeyHash(Bytes script) {
    return framed(script, KEY_HASH_START, KEY_HASH_END);
  }

  /**
   * Returns whether a script is {@code OP_HASH160 <20> OP_EQUAL} (BIP-0016).
   *
   * @param script a scriptPubKey
   * @return whether it has this form exactly
   */
  public static boolean isScriptHash(Bytes script) {
    return framed(script, SCRIPT_HASH_START, SCRIPT_HASH_END);
  }

  private static boolean framed(Bytes script, Bytes start, Bytes end) {
    int hashEnd = start.length() + HASH;
    return script.length() == hashEnd + end.length()
        && script.slice(0, start.length()).equals(start)
        && script.slice(hashEnd, script.length()).equals(end);
  }

  /**
   * Returns whether a script is {@code 0 <20>} (BIP-0141).
   *
   * @param script a scriptPubKey
   * @return whether it has this form exactly
   */
  public static boolean isWitnessKeyHash(Bytes script) {
    return isProgram(script, 0, HASH);
  }

  /**
   * Returns whether a script is {@code 0 <32>} (BIP-0141).
   *
   * @param script a scriptPubKey
   * @return whether it has this form exactly
   */
  public static boolean isWitnessScriptHash(Bytes script) {
    return isProgram(script, 0, LONG_HASH);
  }

  /**
   * Returns whether a script is {@code 1 <32>} (BIP-0341).
   *
   * @param script a scriptPubKey
   * @return whether it has this form exactly
   */
  public static boolean isTaproot(Bytes script) {
    return isProgram(script, OP_1, LONG_HASH);
  }

  private static boolean isProgram(Bytes script, int opcode, int length) {
    return script.length() == 2 + length && script.at(0) == opcode && script.at(1) == length;
  }

  /**
   * Returns whether a script is a witness program of any version (BIP-0141).
   *
   * @param script a scriptPubKey
   * @return whether it has this form exactly
   */
  public static boolean isWitness(Bytes script) {
    int length = script.length();
    if (length < 4 || length > 42 || script.at(1) != length - 2) {
      return false;
    }
    int opcode = script.at(0);
    return opcode == 0 || (opcode >= OP_1 && opcode <= OP_16);
  }

  /**
   * Writes {@code OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG}.
   *
   * @return the script
   */
  public static Bytes keyHash(Bytes hash) {
    return new ByteWriter().bytes(KEY_HASH_START).bytes(hash).bytes(KEY_HASH_END).toBytes();
  }

  /**
   * Returns the hash in a script of key hash.
   *
   * @param keyHashScript for which {@link #isKeyHash} is true
   * @return 20 bytes
   */
  public static Bytes hashIn(Bytes keyHashScript) {
    return keyHashScript.slice(KEY_HASH_START.length(), KEY_HASH_START.length() + HASH);
  }

  /**
   * Writes {@code OP_HASH160 <20> OP_EQUAL}.
   *
   * @param redeemScript the script behind the hash
   * @return the scriptPubKey
   */
  public static Bytes scriptHash(Bytes redeemScript) {
    return new ByteWriter()
        .bytes(SCRIPT_HASH_START)
        .bytes(hash160(redeemScript))
        .bytes(SCRIPT_HASH_END)
        .toBytes();
  }

  /**
   * Writes {@code 0 <32>}.
   *
   * @param witnessScript the script behind the hash
   * @return the scriptPubKey
   */
  public static Bytes witnessScriptHash(Bytes witnessScript) {
    byte[] hash = Hashes.sha256(witnessScript.unsafeArray());
    return program(0, Bytes.wrap(hash));
  }

  /**
   * Writes {@code 0 <20>}.
   *
   * @param publicKey the key behind the hash
   * @return the scriptPubKey
   */
  public static Bytes witnessKeyHash(Bytes publicKey) {
    return program(0, hash160(publicKey));
  }

  /**
   * Writes {@code 1 <32>}.
   *
   * @param outputKey its x, 32 bytes
   * @return the scriptPubKey
   */
  public static Bytes taproot(Bytes outputKey) {
    return program(OP_1, outputKey);
  }

  private static Bytes program(int opcode, Bytes data) {
    return new ByteWriter().uint8(opcode).uint8(data.length()).bytes(data).toBytes();
  }

  /**
   * RIPEMD-160 of SHA-256.
   *
   * @return 20 bytes
   */
  public static Bytes hash160(Bytes data) {
    return Bytes.wrap(Hashes.hash160(data.unsafeArray()));
  }
}
