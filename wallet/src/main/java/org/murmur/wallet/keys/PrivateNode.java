package org.murmur.wallet.keys;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;

/** A private extended key while an account is derived (BIP-0032); never stored or printed. */
final class PrivateNode {

  private static final byte[] MASTER_KEY = "Bitcoin seed".getBytes(StandardCharsets.US_ASCII);

  private final BigInteger key;
  private final byte[] chainCode;
  private final int depth;
  private final int parentFingerprint;
  private final int childNumber;
  private final byte[] publicKey;
  private final ECPoint point;

  private PrivateNode(
      BigInteger key, byte[] chainCode, int depth, int parentFingerprint, int childNumber) {
    if (key.signum() == 0) {
      throw new IllegalArgumentException("no key here, which happens once in 2^127 times");
    }
    this.key = key;
    this.chainCode = chainCode;
    this.depth = depth;
    this.parentFingerprint = parentFingerprint;
    this.childNumber = childNumber;
    this.point = Secp256k1.generatorTimes(key).normalize();
    this.publicKey = Secp256k1.encode(point);
  }

  static PrivateNode master(byte[] seed) {
    byte[] i = new HmacSha512(MASTER_KEY).mac(seed);
    return new PrivateNode(left(i), right(i), 0, 0, 0);
  }

  /** The child of a number; from {@link ExtendedKey#HARDENED} (as unsigned) hardened. */
  PrivateNode child(int number) {
    byte[] data = new byte[37];
    if (number < 0) {
      System.arraycopy(privateKey(), 0, data, 1, 32);
    } else {
      System.arraycopy(publicKey, 0, data, 0, Secp256k1.COMPRESSED);
    }
    ExtendedKey.putInt32(data, 33, number);
    byte[] i = new HmacSha512(chainCode).mac(data);
    Arrays.fill(data, (byte) 0);
    BigInteger child = left(i).add(key).mod(Secp256k1.ORDER);
    return new PrivateNode(child, right(i), depth + 1, fingerprint(), number);
  }

  /** What BIP-0032 calls N: the public half. */
  ExtendedKey neuter(KeyNetwork network) {
    return ExtendedKey.of(network, depth, parentFingerprint, childNumber, chainCode, point);
  }

  /** The 32 bytes of the private key. */
  byte[] privateKey() {
    return BigIntegers.asUnsignedByteArray(32, key);
  }

  private int fingerprint() {
    return ExtendedKey.int32(Hashes.hash160(publicKey), 0);
  }

  private static BigInteger left(byte[] i) {
    return Secp256k1.scalar(Arrays.copyOf(i, 32));
  }

  private static byte[] right(byte[] i) {
    return Arrays.copyOfRange(i, 32, 64);
  }
}
