package org.murmur.coins.keys;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.crypto.Secp256k1;

/** Output scripts, byte by byte. */
final class Scripts {

  static final int OP_DUP = 0x76;
  static final int OP_EQUAL = 0x87;
  static final int OP_EQUALVERIFY = 0x88;
  static final int OP_HASH160 = 0xa9;
  static final int OP_CHECKSIG = 0xac;
  private static final int OP_CHECKMULTISIG = 0xae;
  private static final int OP_1 = 0x51;

  private Scripts() {}

  /** {@code OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG}. */
  static byte[] keyHash(byte[] hash160) {
    byte[] script = new byte[25];
    script[0] = (byte) OP_DUP;
    script[1] = (byte) OP_HASH160;
    script[2] = 20;
    System.arraycopy(hash160, 0, script, 3, 20);
    script[23] = (byte) OP_EQUALVERIFY;
    script[24] = (byte) OP_CHECKSIG;
    return script;
  }

  /** {@code OP_HASH160 <20> OP_EQUAL} (BIP-0016). */
  static byte[] scriptHash(byte[] hash160) {
    byte[] script = new byte[23];
    script[0] = (byte) OP_HASH160;
    script[1] = 20;
    System.arraycopy(hash160, 0, script, 2, 20);
    script[22] = (byte) OP_EQUAL;
    return script;
  }

  /** {@code OP_n <2 to 40 bytes>} (BIP-0141). */
  static byte[] witness(int version, byte[] program) {
    byte[] script = new byte[2 + program.length];
    script[0] = (byte) (version == 0 ? 0 : OP_1 - 1 + version);
    script[1] = (byte) program.length;
    System.arraycopy(program, 0, script, 2, program.length);
    return script;
  }

  /** {@code threshold <key>… count OP_CHECKMULTISIG}. */
  static byte[] multisig(int threshold, List<byte[]> keys, boolean sorted) {
    List<byte[]> order =
        sorted ? keys.stream().sorted(Scripts::compareUnsigned).collect(Collectors.toList()) : keys;
    ByteWriter script = new ByteWriter(3 + keys.size() * (1 + Secp256k1.COMPRESSED));
    number(script, threshold);
    order.forEach(key -> script.uint8(key.length).bytes(key, 0, key.length));
    number(script, keys.size());
    return script.uint8(OP_CHECKMULTISIG).toArray();
  }

  private static void number(ByteWriter script, int value) {
    if (value <= 16) {
      script.uint8(OP_1 - 1 + value);
    } else {
      script.uint8(1).uint8(value);
    }
  }

  /** Order of BIP-0067; Arrays.compareUnsigned is missing on Android 8. */
  private static int compareUnsigned(byte[] a, byte[] b) {
    for (int i = 0; i < a.length; i++) {
      if (a[i] != b[i]) {
        return Integer.compare(a[i] & 0xff, b[i] & 0xff);
      }
    }
    return 0;
  }

  /** The version of a witness program, or -1 if the script is none. */
  static int witnessVersion(Bytes script) {
    int length = script.length();
    if (length < 4 || length > 42 || script.at(1) != length - 2) {
      return -1;
    }
    int opcode = script.at(0) & 0xff;
    if (opcode == 0) {
      return 0;
    }
    return opcode >= OP_1 && opcode <= OP_1 + 15 ? opcode - OP_1 + 1 : -1;
  }

  static boolean isKeyHash(Bytes script) {
    return script.length() == 25
        && Arrays.equals(
            script.unsafeArray(), keyHash(Arrays.copyOfRange(script.unsafeArray(), 3, 23)));
  }

  static boolean isScriptHash(Bytes script) {
    return script.length() == 23
        && Arrays.equals(
            script.unsafeArray(), scriptHash(Arrays.copyOfRange(script.unsafeArray(), 2, 22)));
  }
}
