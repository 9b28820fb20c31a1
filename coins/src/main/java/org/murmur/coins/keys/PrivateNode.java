package org.murmur.coins.keys;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;
import org.murmur.bip37.internal.Hmac;
import org.murmur.coins.internal.crypto.Hashes;
import org.murmur.coins.internal.crypto.Secp256k1;

/**
 * A private extended key while an account is derived (BIP-0032); never stored or printed.
 *
 * <p>{@link #wipe} overwrites what it can: the chain code, without which no further private key
 * follows, and every array on the way. The key itself is a {@link BigInteger}, which Java cannot
 * overwrite; it is dropped, and lasts until its memory is used again.
 */
final class PrivateNode {

  private static final byte[] MASTER_KEY = "Bitcoin seed".getBytes(StandardCharsets.US_ASCII);

  private final BigInteger key;
  private final byte[] chainCode;
  private final int depth;
  private final int parentFingerprint;
  private final int childNumber;
  private final byte[] publicKey;
  private final ECPoint point;
  private boolean wiped;

  private PrivateNode(
      BigInteger key, byte[] chainCode, int depth, int parentFingerprint, int childNumber) {
    this.key = requireKey(key);
    this.chainCode = chainCode;
    this.depth = depth;
    this.parentFingerprint = parentFingerprint;
    this.childNumber = childNumber;
    this.point = Secp256k1.generatorTimes(key).normalize();
    this.publicKey = Secp256k1.encode(point);
  }

  static PrivateNode master(byte[] seed) {
    byte[] i = Hmac.sha512(MASTER_KEY).mac(seed);
    try {
      return new PrivateNode(left(i), right(i), 0, 0, 0);
    } finally {
      Arrays.fill(i, (byte) 0);
    }
  }

  private static BigInteger requireKey(BigInteger scalar) {
    if (scalar.signum() == 0) {
      throw new IllegalArgumentException("no key here, which happens once in 2^127 times");
    }
    return scalar;
  }

  /** The child of a number; from {@link ExtendedKey#HARDENED} (as unsigned) hardened. */
  PrivateNode child(int number) {
    byte[] i = mac(number);
    try {
      return new PrivateNode(childKey(i), right(i), depth + 1, fingerprint(), number);
    } finally {
      Arrays.fill(i, (byte) 0);
    }
  }

  /**
   * The private key of a child, as 32 bytes that the caller overwrites after use. It takes no
   * multiplication on the curve.
   */
  byte[] privateKeyOf(int number) {
    byte[] i = mac(number);
    try {
      return BigIntegers.asUnsignedByteArray(32, requireKey(childKey(i)));
    } finally {
      Arrays.fill(i, (byte) 0);
    }
  }

  private BigInteger childKey(byte[] i) {
    return left(i).add(key).mod(Secp256k1.ORDER);
  }

  /** BIP-0032's I, which the caller overwrites. */
  private byte[] mac(int number) {
    if (wiped) {
      throw new IllegalStateException("the key was wiped");
    }
    byte[] data = new byte[37];
    if (number < 0) {
      byte[] secret = privateKey();
      System.arraycopy(secret, 0, data, 1, 32);
      Arrays.fill(secret, (byte) 0);
    } else {
      System.arraycopy(publicKey, 0, data, 0, Secp256k1.COMPRESSED);
    }
    ByteBuffer.wrap(data).putInt(33, number);
    Hmac hmac = Hmac.sha512(chainCode);
    byte[] i = hmac.mac(data);
    hmac.wipe();
    Arrays.fill(data, (byte) 0);
    return i;
  }

  /** Overwrites the chain code; no child can be derived any more. */
  void wipe() {
    wiped = true;
    Arrays.fill(chainCode, (byte) 0);
  }

  /** BIP-0032's function N: the public half. */
  ExtendedKey neuter(KeyNetwork network) {
    return ExtendedKey.of(network, depth, parentFingerprint, childNumber, chainCode.clone(), point);
  }

  /** The 32 bytes of the private key; the caller overwrites them after use. */
  byte[] privateKey() {
    return BigIntegers.asUnsignedByteArray(32, key);
  }

  private int fingerprint() {
    return ByteBuffer.wrap(Hashes.hash160(publicKey)).getInt();
  }

  private static BigInteger left(byte[] i) {
    byte[] half = Arrays.copyOf(i, 32);
    BigInteger scalar = Secp256k1.scalar(half);
    Arrays.fill(half, (byte) 0);
    return scalar;
  }

  private static byte[] right(byte[] i) {
    return Arrays.copyOfRange(i, 32, 64);
  }
}
