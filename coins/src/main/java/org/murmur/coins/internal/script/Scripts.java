package org.murmur.coins.internal.script;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.coins.internal.crypto.Hashes;

/** Scripts of outputs and what satisfies them, byte by byte: written and recognised. */
public final class Scripts {

  private static final int OP_PUSHDATA1 = 0x4c;
  private static final int OP_PUSHDATA2 = 0x4d;
  private static final int OP_1NEGATE = 0x4f;
  private static final int OP_1 = 0x51;
  private static final int OP_16 = 0x60;
  private static final int OP_NUMEQUAL = 0x9c;
  private static final int OP_CHECKSIG = 0xac;
  private static final int OP_CHECKMULTISIG = 0xae;
  private static final int OP_CHECKSIGADD = 0xba;
  private static final int NEGATIVE_ONE = 0x81;
  private static final int HASH = 20;
  private static final int LONG_HASH = 32;

  /** The largest item of a script (Core's MAX_SCRIPT_ELEMENT_SIZE). */
  private static final int MAX_ITEM = 520;

  private static final Bytes KEY_HASH_START = Bytes.ofHex("76a914");
  private static final Bytes KEY_HASH_END = Bytes.ofHex("88ac");
  private static final Bytes SCRIPT_HASH_START = Bytes.ofHex("a914");
  private static final Bytes SCRIPT_HASH_END = Bytes.ofHex("87");

  private Scripts() {}

  /**
   * A multisig script: how many signatures it needs, from 1 to the number of keys, and the keys in
   * the order of their signatures, 33 or 65 bytes each; 32 bytes in a tapscript.
   */
  public record Multisig(int threshold, List<Bytes> keys) {
    /** Copies the list. */
    public Multisig {
      keys = List.copyOf(keys);
    }
  }

  /** Writes {@code OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG}. */
  public static Bytes keyHash(Bytes hash) {
    return new ByteWriter().bytes(KEY_HASH_START).bytes(hash).bytes(KEY_HASH_END).toBytes();
  }

  /** Writes {@code OP_HASH160 <20> OP_EQUAL} (BIP-0016) for the hash of a script. */
  public static Bytes scriptHash(Bytes redeemScript) {
    return ofScriptHash(hash160(redeemScript));
  }

  /** Writes {@code OP_HASH160 <20> OP_EQUAL} (BIP-0016). */
  public static Bytes ofScriptHash(Bytes hash) {
    return new ByteWriter().bytes(SCRIPT_HASH_START).bytes(hash).bytes(SCRIPT_HASH_END).toBytes();
  }

  /** Writes {@code 0 <32>} (BIP-0141) for the hash of a script. */
  public static Bytes witnessScriptHash(Bytes witnessScript) {
    return witness(0, Bytes.wrap(Hashes.sha256(witnessScript.unsafeArray())));
  }

  /** Writes {@code 0 <20>} (BIP-0141) for the hash of a public key. */
  public static Bytes witnessKeyHash(Bytes publicKey) {
    return witness(0, hash160(publicKey));
  }

  /** Writes {@code 1 <32>} (BIP-0341). */
  public static Bytes taproot(Bytes outputKey) {
    return witness(1, outputKey);
  }

  /** Writes {@code OP_n <2 to 40 bytes>} (BIP-0141). */
  public static Bytes witness(int version, Bytes program) {
    ByteWriter script = new ByteWriter(2 + program.length());
    return push(script.uint8(version == 0 ? 0 : OP_1 - 1 + version), program).toBytes();
  }

  /** Writes {@code threshold <key>… count OP_CHECKMULTISIG}; sorted by BIP-0067. */
  public static Bytes multisig(int threshold, List<Bytes> keys, boolean sorted) {
    List<Bytes> order = new ArrayList<>(keys);
    if (sorted) {
      // Hex sorts as the bytes do.
      order.sort(Comparator.comparing(Bytes::toHex));
    }
    ByteWriter script = new ByteWriter();
    number(script, threshold);
    order.forEach(key -> push(script, key));
    number(script, keys.size());
    return script.uint8(OP_CHECKMULTISIG).toBytes();
  }

  private static void number(ByteWriter script, int value) {
    if (value <= 16) {
      script.uint8(OP_1 - 1 + value);
    } else {
      script.uint8(1).uint8(value);
    }
  }

  /** Pushes data of any length, but not as a number. */
  public static ByteWriter push(ByteWriter script, Bytes data) {
    int length = data.length();
    if (length < OP_PUSHDATA1) {
      script.uint8(length);
    } else if (length < 0x100) {
      script.uint8(OP_PUSHDATA1).uint8(length);
    } else {
      script.uint8(OP_PUSHDATA2).uint16(length);
    }
    return script.bytes(data);
  }

  /** Returns whether a script is that of a {@linkplain #keyHash key hash}, exactly. */
  public static boolean isKeyHash(Bytes script) {
    return isFramed(script, KEY_HASH_START, KEY_HASH_END);
  }

  /** Returns whether a script is that of a {@linkplain #scriptHash script hash}, exactly. */
  public static boolean isScriptHash(Bytes script) {
    return isFramed(script, SCRIPT_HASH_START, SCRIPT_HASH_END);
  }

  private static boolean isFramed(Bytes script, Bytes start, Bytes end) {
    int hashEnd = start.length() + HASH;
    return script.length() == hashEnd + end.length()
        && script.slice(0, start.length()).equals(start)
        && script.slice(hashEnd, script.length()).equals(end);
  }

  /** Returns whether a script is {@code 0 <20>} (BIP-0141), exactly. */
  public static boolean isWitnessKeyHash(Bytes script) {
    return script.length() == 2 + HASH && witnessVersion(script) == 0;
  }

  /** Returns whether a script is {@code 0 <32>} (BIP-0141), exactly. */
  public static boolean isWitnessScriptHash(Bytes script) {
    return script.length() == 2 + LONG_HASH && witnessVersion(script) == 0;
  }

  /** Returns whether a script is {@code 1 <32>} (BIP-0341), exactly. */
  public static boolean isTaproot(Bytes script) {
    return script.length() == 2 + LONG_HASH && witnessVersion(script) == 1;
  }

  /** Returns whether a script is a witness program of any version (BIP-0141). */
  public static boolean isWitness(Bytes script) {
    return witnessVersion(script) >= 0;
  }

  /** Returns the version of a witness program, 0 to 16; -1 if the script is none. */
  public static int witnessVersion(Bytes script) {
    int length = script.length();
    if (length < 4 || length > 42 || script.at(1) != length - 2) {
      return -1;
    }
    int opcode = script.at(0);
    return opcode == 0 ? 0 : opcode >= OP_1 && opcode <= OP_16 ? opcode - OP_1 + 1 : -1;
  }

  /** Returns the one push of a key hash, a script hash or a witness program. */
  public static Bytes pushed(Bytes script) {
    int from = isKeyHash(script) ? KEY_HASH_START.length() : 2;
    return script.slice(from, isWitness(script) ? script.length() : from + HASH);
  }

  /**
   * Reads {@code threshold <key>… count OP_CHECKMULTISIG}, with at most 16 keys; empty if it is
   * another script.
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

  /** Reads {@code <key> OP_CHECKSIG}: the key, 33 or 65 bytes; empty if it is another script. */
  public static Optional<Bytes> key(Bytes script) {
    int length = script.length() - 2;
    boolean fits =
        (length == 33 || length == 65)
            && script.at(0) == length
            && (script.at(1 + length) & 0xff) == OP_CHECKSIG;
    return fits ? Optional.of(script.slice(1, 1 + length)) : Optional.empty();
  }

  /**
   * Reads the script of a taproot leaf: {@code <key> OP_CHECKSIG}, or {@code <key> OP_CHECKSIG
   * <key> OP_CHECKSIGADD… threshold OP_NUMEQUAL} (BIP-0342) with a threshold of at most 16. Empty
   * if it is another one.
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
   * Returns the items that a script of pushes alone leaves on the stack; empty if it does more, or
   * pushes in a longer way than needed.
   */
  public static Optional<List<Bytes>> pushes(Bytes script) {
    List<Bytes> items = new ArrayList<>();
    ByteReader in = new ByteReader(script.unsafeArray());
    try {
      while (in.remaining() > 0) {
        Optional<Bytes> item = nextPush(in);
        if (!item.isPresent()) {
          return Optional.empty();
        }
        items.add(item.get());
      }
    } catch (MalformedException e) {
      return Optional.empty();
    }
    return Optional.of(items);
  }

  private static Optional<Bytes> nextPush(ByteReader in) {
    int opcode = in.uint8();
    if (opcode < OP_PUSHDATA1) {
      return Optional.of(in.bytes(opcode)).filter(item -> !isNumber(item));
    }
    if (opcode == OP_PUSHDATA1) {
      int length = in.uint8();
      return length < OP_PUSHDATA1 ? Optional.empty() : Optional.of(in.bytes(length));
    }
    if (opcode == OP_PUSHDATA2) {
      int length = in.uint16();
      return length < 0x100 || length > MAX_ITEM ? Optional.empty() : Optional.of(in.bytes(length));
    }
    int value = opcode == OP_1NEGATE ? NEGATIVE_ONE : opcode - OP_1 + 1;
    Bytes number = Bytes.wrap(new byte[] {(byte) value});
    return opcode <= OP_16 && isNumber(number) ? Optional.of(number) : Optional.empty();
  }

  /** Whether an opcode of its own pushes it. */
  private static boolean isNumber(Bytes item) {
    int value = item.length() == 1 ? item.at(0) & 0xff : 0;
    return value == NEGATIVE_ONE || (value >= 1 && value <= OP_16 - OP_1 + 1);
  }

  /** Returns RIPEMD-160 of SHA-256, 20 bytes. */
  public static Bytes hash160(Bytes data) {
    return Bytes.wrap(Hashes.hash160(data.unsafeArray()));
  }
}
