package org.murmur.coins.psbt;

import java.util.Arrays;
import java.util.List;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.tx.Tx;
import org.murmur.coins.internal.crypto.Secp256k1;
import org.murmur.coins.internal.sign.SignedInput;

/** The form of the data of a key, or a value. */
@FunctionalInterface
interface Shape {

  /** No data. */
  Shape NONE = length(0);

  /** Anything. */
  Shape ANY = data -> {};

  /** The most bytes of a PSBT that are read. */
  int MAX_BYTES = 1 << 25;

  /** Below it a lock time is a height, else seconds. */
  int FIRST_TIME = 500_000_000;

  /**
   * Checks bytes.
   *
   * @throws MalformedException if they are wrong; its offset means nothing
   */
  void check(Bytes data);

  static Shape length(int expected) {
    return data -> require(data.length() == expected, data.length() + " bytes, not " + expected);
  }

  static Shape atLeast(int least) {
    return data -> require(data.length() >= least, data.length() + " bytes, fewer than " + least);
  }

  /** Compressed public keys one after the other. */
  static Shape points(int least, int most) {
    return data -> {
      int count = data.length() / Secp256k1.COMPRESSED;
      require(
          data.length() % Secp256k1.COMPRESSED == 0 && count >= least && count <= most,
          data.length() + " bytes are not the expected public keys");
      for (int i = 0; i < count; i++) {
        int from = i * Secp256k1.COMPRESSED;
        publicKey(data.slice(from, from + Secp256k1.COMPRESSED));
      }
    };
  }

  static void pointList(Bytes data) {
    points(0, Integer.MAX_VALUE).check(data);
  }

  /** Participant and aggregate key, and a leaf hash or not (BIP-0373). */
  static void musigKey(Bytes data) {
    int keys = 2 * Secp256k1.COMPRESSED;
    require(data.length() == keys || data.length() == keys + 32, data.length() + " bytes");
    points(2, 2).check(data.slice(0, keys));
  }

  /** Any public key: compressed or not. */
  static void publicKey(Bytes data) {
    require(data.length() == 33 || data.length() == 65, data.length() + " bytes, no public key");
    try {
      Secp256k1.CURVE.decodePoint(data.unsafeArray());
    } catch (IllegalArgumentException e) {
      throw new MalformedException("not a public key on the curve", 0);
    }
  }

  /** An extended key without its checksum (BIP-0032). */
  static void extendedKey(Bytes data) {
    length(78).check(data);
    publicKey(data.slice(45, 78));
  }

  /** A fingerprint and steps of a path, 4 bytes each. */
  static void origin(Bytes data) {
    require(
        data.length() >= 4 && data.length() % 4 == 0, data.length() + " bytes are no key origin");
  }

  /** Leaf hashes, then a key origin. */
  static void tapOrigin(Bytes data) {
    ByteReader in = new ByteReader(data.unsafeArray());
    in.skip(in.count(32) * 32);
    origin(in.bytes(in.remaining()));
  }

  static int int32(Bytes data) {
    return new ByteReader(data.unsafeArray()).int32();
  }

  static void count(Bytes data) {
    ByteReader in = new ByteReader(data.unsafeArray());
    long count = in.compactSize();
    in.expectEnd();
    require(count >= 0 && count <= Integer.MAX_VALUE, "too many");
  }

  static void output(Bytes data) {
    readOutput(data);
  }

  static Tx.Output readOutput(Bytes data) {
    ByteReader in = new ByteReader(data.unsafeArray());
    long value = in.int64();
    Tx.Output output = new Tx.Output(value, in.varBytes());
    in.expectEnd();
    return output;
  }

  static void witness(Bytes data) {
    readWitness(data);
  }

  static List<Bytes> readWitness(Bytes data) {
    ByteReader in = new ByteReader(data.unsafeArray());
    List<Bytes> items = SignedInput.readWitness(in);
    in.expectEnd();
    return items;
  }

  static void lockUntilTime(Bytes data) {
    length(4).check(data);
    long time = new ByteReader(data.unsafeArray()).uint32();
    require(time >= FIRST_TIME, time + " is no time");
  }

  static void lockUntilHeight(Bytes data) {
    length(4).check(data);
    long height = new ByteReader(data.unsafeArray()).uint32();
    require(height > 0 && height < FIRST_TIME, height + " is no height");
  }

  /** 64 bytes, or 65 with the type of hash. */
  static void schnorrSignature(Bytes data) {
    require(
        data.length() == 64 || data.length() == 65, data.length() + " bytes, no Schnorr signature");
  }

  /** Internal key and Merkle path (BIP-0341). */
  static void controlBlock(Bytes data) {
    require(
        data.length() >= 33 && data.length() <= 33 + 32 * 128 && (data.length() - 33) % 32 == 0,
        data.length() + " bytes, no control block");
  }

  /** An identifier, its own type, then anything. */
  static void proprietary(Bytes data) {
    ByteReader in = new ByteReader(data.unsafeArray());
    in.varBytes();
    in.compactSize();
  }

  /** Strict DER (BIP-0066), then a type of hash. */
  static void ecdsaSignature(Bytes data) {
    byte[] signature = data.toArray();
    int length = signature.length;
    require(length >= 9 && length <= 73, length + " bytes, no DER signature");
    require(signature[0] == 0x30 && signature[1] == length - 3, "not a DER signature");
    int type = signature[length - 1] & 0x7f;
    require(type >= 1 && type <= 3, "unknown type of signature hash");
    int afterR = integer(signature, 2, length - 1);
    require(integer(signature, afterR, length - 1) == length - 1, "not a DER signature");
  }

  /** Checks a positive DER integer, and returns the index after it. */
  private static int integer(byte[] der, int from, int end) {
    require(from + 2 < end && der[from] == 0x02, "no DER integer");
    int size = der[from + 1];
    int to = from + 2 + size;
    require(size > 0 && to <= end, "no DER integer");
    byte[] number = Arrays.copyOfRange(der, from + 2, to);
    require(number[0] >= 0, "a negative DER integer");
    require(size == 1 || number[0] != 0 || number[1] < 0, "a DER integer with needless zeros");
    return to;
  }

  /** Throws unless a condition holds. */
  static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new MalformedException(otherwise, 0);
    }
  }
}
