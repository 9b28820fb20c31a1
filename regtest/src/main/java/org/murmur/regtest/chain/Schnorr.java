package org.murmur.regtest.chain;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.murmur.bip37.bytes.Bytes;

/**
 * Schnorr signatures (BIP-0340) and the tweak of taproot's key path (BIP-0341), as far as a test
 * chain needs them. Not constant-time, so not for keys of real money.
 */
final class Schnorr {

  private static final X9ECParameters CURVE = CustomNamedCurves.getByName("secp256k1");
  private static final BigInteger ORDER = CURVE.getN();
  private static final ECPoint G = CURVE.getG();

  private Schnorr() {}

  /** A multiple of the generator, from a table made once. */
  private static ECPoint times(BigInteger factor) {
    return new FixedPointCombMultiplier().multiply(G, factor);
  }

  /** The secret of a taproot output without scripts (BIP-0086). */
  static BigInteger tweaked(BigInteger secret) {
    BigInteger even = evenSecret(secret);
    byte[] tweak = taggedHash("TapTweak", x(times(even)));
    return even.add(new BigInteger(1, tweak)).mod(ORDER);
  }

  /** The x-only public key of a secret, 32 bytes. */
  static Bytes publicKey(BigInteger secret) {
    return Bytes.wrap(x(times(secret)));
  }

  /** Signs a 32-byte message, with no auxiliary randomness, so that chains are reproducible. */
  static Bytes sign(BigInteger secret, byte[] message) {
    BigInteger d = evenSecret(secret);
    byte[] publicKey = x(times(d));
    byte[] masked = taggedHash("BIP0340/aux", new byte[32]);
    byte[] key = fixed(d);
    for (int i = 0; i < 32; i++) {
      masked[i] ^= key[i];
    }
    BigInteger nonce =
        new BigInteger(1, taggedHash("BIP0340/nonce", masked, publicKey, message)).mod(ORDER);
    ECPoint point = times(nonce).normalize();
    BigInteger k = isEven(point) ? nonce : ORDER.subtract(nonce);
    byte[] r = x(point);
    BigInteger e =
        new BigInteger(1, taggedHash("BIP0340/challenge", r, publicKey, message)).mod(ORDER);
    byte[] signature = new byte[64];
    System.arraycopy(r, 0, signature, 0, 32);
    System.arraycopy(fixed(k.add(e.multiply(d)).mod(ORDER)), 0, signature, 32, 32);
    return Bytes.wrap(signature);
  }

  /** Whether a signature of 64 bytes is by the x-only key over the message (BIP-0340). */
  static boolean verify(byte[] publicKey, byte[] message, byte[] signature) {
    byte[] r = Arrays.copyOfRange(signature, 0, 32);
    BigInteger s = new BigInteger(1, Arrays.copyOfRange(signature, 32, 64));
    if (s.compareTo(ORDER) >= 0) {
      return false;
    }
    byte[] even = new byte[33];
    even[0] = 2;
    System.arraycopy(publicKey, 0, even, 1, 32);
    ECPoint key;
    try {
      key = CURVE.getCurve().decodePoint(even);
    } catch (IllegalArgumentException e) {
      return false;
    }
    BigInteger e =
        new BigInteger(1, taggedHash("BIP0340/challenge", r, publicKey, message)).mod(ORDER);
    ECPoint point = times(s).subtract(key.multiply(e)).normalize();
    return !point.isInfinity() && isEven(point) && Arrays.equals(x(point), r);
  }

  /** The tagged hash of BIP-0340: SHA-256 over the tag's hash twice and the data. */
  static byte[] taggedHash(String tag, byte[]... parts) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] tagHash = sha256.digest(tag.getBytes(StandardCharsets.UTF_8));
      sha256.update(tagHash);
      sha256.update(tagHash);
      for (byte[] part : parts) {
        sha256.update(part);
      }
      return sha256.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** The secret whose public key has an even y coordinate. */
  private static BigInteger evenSecret(BigInteger secret) {
    return isEven(times(secret).normalize()) ? secret : ORDER.subtract(secret);
  }

  private static boolean isEven(ECPoint normalized) {
    return !normalized.getAffineYCoord().toBigInteger().testBit(0);
  }

  private static byte[] x(ECPoint point) {
    return fixed(point.normalize().getAffineXCoord().toBigInteger());
  }

  private static byte[] fixed(BigInteger value) {
    byte[] bytes = new byte[32];
    byte[] number = value.toByteArray();
    int length = Math.min(32, number.length);
    System.arraycopy(number, number.length - length, bytes, 32 - length, length);
    return bytes;
  }
}
