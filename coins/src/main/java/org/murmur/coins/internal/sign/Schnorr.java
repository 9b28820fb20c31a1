package org.murmur.coins.internal.sign;

import java.math.BigInteger;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECPoint;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.crypto.Hashes;
import org.murmur.coins.internal.crypto.Secp256k1;

/** Schnorr signatures (BIP-0340): x of R, then s, 32 bytes each, big-endian. */
final class Schnorr {

  private static final int SIGNATURE = 2 * Curve.LENGTH;

  private Schnorr() {}

  /**
   * Signs; not verified yet.
   *
   * @param message any length
   * @param key the key, whatever the parity of its point
   * @param aux 32 bytes; Core signs with zeros, then a signature depends on key and message only
   */
  static byte[] sign(byte[] message, SigningKey key, byte[] aux) {
    byte[] publicX = key.x();
    BigInteger secret = key.evenSecret();
    BigInteger nonce = nonce(message, secret, publicX, aux);
    ECPoint r = Secp256k1.generatorTimes(nonce).normalize();
    BigInteger k = Curve.isOdd(r) ? Curve.ORDER.subtract(nonce) : nonce;
    byte[] signature = Arrays.copyOf(Secp256k1.encodeX(r), SIGNATURE);
    BigInteger e = challenge(Secp256k1.encodeX(r), publicX, message);
    BigInteger s = k.add(e.multiply(secret)).mod(Curve.ORDER);
    System.arraycopy(Curve.bytes(s), 0, signature, Curve.LENGTH, Curve.LENGTH);
    return signature;
  }

  private static BigInteger nonce(byte[] message, BigInteger secret, byte[] publicX, byte[] aux) {
    byte[] masked = Curve.bytes(secret);
    byte[] mask = Hashes.tagged("BIP0340/aux", aux);
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= mask[i];
    }
    byte[] input = joined(masked, publicX, message);
    byte[] hash = Hashes.tagged("BIP0340/nonce", input);
    BigInteger nonce = Curve.reduced(hash);
    Arrays.fill(masked, (byte) 0);
    Arrays.fill(input, (byte) 0);
    Arrays.fill(hash, (byte) 0);
    if (nonce.signum() == 0) {
      throw new IllegalStateException("the nonce is 0, which happens once in 2^256 times");
    }
    return nonce;
  }

  /** Whether a signature is that of the key with this x. */
  static boolean verify(byte[] message, byte[] publicX, byte[] signature) {
    if (publicX.length != Curve.LENGTH || signature.length != SIGNATURE) {
      return false;
    }
    byte[] r = Arrays.copyOf(signature, Curve.LENGTH);
    BigInteger s = new BigInteger(1, Arrays.copyOfRange(signature, Curve.LENGTH, SIGNATURE));
    if (!Secp256k1.isX(Bytes.wrap(publicX)) || s.compareTo(Curve.ORDER) >= 0) {
      return false;
    }
    ECPoint key = Secp256k1.lift(Bytes.wrap(publicX));
    BigInteger e = challenge(r, publicX, message);
    ECPoint sum = Curve.sum(s, key, Curve.ORDER.subtract(e));
    return !sum.isInfinity() && !Curve.isOdd(sum) && Arrays.equals(Secp256k1.encodeX(sum), r);
  }

  private static BigInteger challenge(byte[] r, byte[] publicX, byte[] message) {
    return Curve.reduced(Hashes.tagged("BIP0340/challenge", joined(r, publicX, message)));
  }

  private static byte[] joined(byte[] first, byte[] second, byte[] third) {
    byte[] all = Arrays.copyOf(first, first.length + second.length + third.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    System.arraycopy(third, 0, all, first.length + second.length, third.length);
    return all;
  }
}
