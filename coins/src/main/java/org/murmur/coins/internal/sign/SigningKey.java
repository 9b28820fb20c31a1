package org.murmur.coins.internal.sign;

import java.math.BigInteger;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECPoint;
import org.murmur.coins.internal.crypto.Hashes;
import org.murmur.coins.internal.crypto.Secp256k1;

/**
 * A private key with its point while an input is signed; never stored or printed.
 *
 * <p>The secret is a {@link BigInteger}, which Java cannot overwrite. It is dropped after use, and
 * lasts until its memory is used again.
 */
final class SigningKey {

  private final BigInteger secret;
  private final ECPoint point;

  /** Only for tests directly: the point must be the secret's, normalised. */
  SigningKey(BigInteger secret, ECPoint point) {
    this.secret = secret;
    this.point = point;
  }

  private static SigningKey of(BigInteger secret) {
    if (!Curve.isScalar(secret)) {
      throw new IllegalArgumentException("not a private key: 0 or not below the curve's order");
    }
    return new SigningKey(secret, Secp256k1.generatorTimes(secret).normalize());
  }

  /** Reads 32 bytes, big-endian, and does not keep them. */
  static SigningKey of(byte[] secret) {
    if (secret.length != Curve.LENGTH) {
      throw new IllegalArgumentException("private key of " + secret.length + " bytes, expected 32");
    }
    return of(new BigInteger(1, secret));
  }

  BigInteger secret() {
    return secret;
  }

  /** The secret of the point with the same x and an even y (BIP-0340). */
  BigInteger evenSecret() {
    return Curve.isOdd(point) ? Curve.ORDER.subtract(secret) : secret;
  }

  /** The public key, normalised. */
  ECPoint point() {
    return point;
  }

  byte[] compressed() {
    return Secp256k1.encode(point);
  }

  /** The public key as taproot writes it: x alone. */
  byte[] x() {
    return Secp256k1.encodeX(point);
  }

  /**
   * The key of the taproot output whose internal key this is (BIP-0341).
   *
   * @param merkleRoot of the scripts; no bytes if there are none (BIP-0086)
   */
  SigningKey tweaked(byte[] merkleRoot) {
    byte[] x = x();
    byte[] data = Arrays.copyOf(x, x.length + merkleRoot.length);
    System.arraycopy(merkleRoot, 0, data, x.length, merkleRoot.length);
    BigInteger tweak = Secp256k1.scalar(Hashes.tagged("TapTweak", data));
    return of(evenSecret().add(tweak).mod(Curve.ORDER));
  }

  /** Nothing secret. */
  @Override
  public String toString() {
    return "private key";
  }
}
