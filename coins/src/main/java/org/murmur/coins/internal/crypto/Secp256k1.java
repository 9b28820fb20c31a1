package org.murmur.coins.internal.crypto;

import java.math.BigInteger;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECMultiplier;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.bouncycastle.math.ec.custom.sec.SecP256K1Curve;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;

/** Points of Bitcoin's curve (SEC 2, secp256k1). */
public final class Secp256k1 {

  /** A compressed point: the sign of y and 32 bytes of x. */
  public static final int COMPRESSED = 33;

  /** Made by hand: the library's table of named curves takes long to load. */
  public static final ECCurve CURVE = new SecP256K1Curve();

  /** The number of points of the curve. */
  public static final BigInteger ORDER = CURVE.getOrder();

  private static final ECPoint GENERATOR =
      CURVE.createPoint(
          new BigInteger("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", 16),
          new BigInteger("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8", 16));

  private static final ECMultiplier COMB = new FixedPointCombMultiplier();

  private Secp256k1() {}

  /** Multiplies the generator; the point is not normalised. */
  public static ECPoint generatorTimes(BigInteger scalar) {
    return COMB.multiply(GENERATOR, scalar);
  }

  /**
   * Reads a compressed point. Throws {@link IllegalArgumentException} if it is none of the curve.
   */
  public static ECPoint decode(byte[] compressed) {
    if (compressed.length != COMPRESSED || (compressed[0] != 2 && compressed[0] != 3)) {
      throw new IllegalArgumentException("not a compressed public key");
    }
    return CURVE.decodePoint(compressed);
  }

  /**
   * Returns the point with this x and an even y (BIP-0340, lift_x). Throws {@link
   * IllegalArgumentException} if there is none.
   */
  public static ECPoint lift(Bytes x) {
    return decode(new ByteWriter(COMPRESSED).uint8(2).bytes(x).toArray());
  }

  /**
   * Returns what is added to the taproot key with this x (BIP-0341); the root of its scripts has no
   * bytes if there are none.
   */
  public static BigInteger tapTweak(Bytes x, Bytes root) {
    byte[] data = new ByteWriter().bytes(x).bytes(root).toArray();
    return scalar(Hashes.tagged("TapTweak", data));
  }

  /**
   * Returns the output key of an internal key, normalised. Throws {@link IllegalArgumentException}
   * if the internal key is not on the curve.
   */
  public static ECPoint tapOutput(Bytes x, Bytes root) {
    return lift(x).add(generatorTimes(tapTweak(x, root))).normalize();
  }

  /**
   * {@return whether a point of the curve has this x (BIP-0340, lift_x); true for each other
   * number, about}
   */
  public static boolean isX(Bytes x) {
    try {
      ECPoint unused = lift(x);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Writes a point that is not infinity, compressed. */
  public static byte[] encode(ECPoint point) {
    return point.getEncoded(true);
  }

  /** Writes the x only of a point that is not infinity, as taproot writes keys (BIP-0340). */
  public static byte[] encodeX(ECPoint point) {
    return Arrays.copyOfRange(encode(point), 1, COMPRESSED);
  }

  /**
   * Reads a scalar. A value from a hash is out of range once in 2^127 times: throws {@link
   * IllegalArgumentException} if it is not below {@link #ORDER}.
   */
  public static BigInteger scalar(byte[] bytes) {
    BigInteger scalar = new BigInteger(1, bytes);
    if (scalar.compareTo(ORDER) >= 0) {
      throw new IllegalArgumentException("scalar is not below the order of the curve");
    }
    return scalar;
  }
}
