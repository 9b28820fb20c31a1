package org.murmur.coins.internal.sign;

import java.math.BigInteger;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECPoint;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.coins.internal.crypto.Secp256k1;
import org.murmur.coins.keys.KeyPath;
import org.murmur.coins.keys.OutputType;
import org.murmur.coins.keys.PrivateKeys;

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

  /** Derives the key that signs: for taproot that of the output, without scripts (BIP-0086). */
  static SigningKey of(KeyPath path, PrivateKeys keys) {
    byte[] secret = keys.privateKey(path);
    try {
      SigningKey derived = of(secret);
      return path.type() == OutputType.P2TR ? derived.tweaked(Bytes.EMPTY) : derived;
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  /**
   * The scriptPubKey that this key can spend. It follows from the private key alone, so that an
   * error in the wallet's derivation is found before signing.
   */
  Bytes script(OutputType type) {
    return type.script(Bytes.wrap(compressed()));
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
   * @param root of the scripts; no bytes if there are none (BIP-0086)
   */
  SigningKey tweaked(Bytes root) {
    return of(evenSecret().add(Secp256k1.tapTweak(Bytes.wrap(x()), root)).mod(Curve.ORDER));
  }

  /** Nothing secret. */
  @Override
  public String toString() {
    return "private key";
  }
}
