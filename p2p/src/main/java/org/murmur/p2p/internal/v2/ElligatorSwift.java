package org.murmur.p2p.internal.v2;

import java.math.BigInteger;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECFieldElement;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.custom.sec.SecP256K1Curve;
import org.jspecify.annotations.Nullable;

/**
 * Public keys that look like 64 random bytes (BIP-0324, "ElligatorSwift encoding of curve X
 * coordinates"). They are two elements of the field, u and t, of 32 bytes each, big-endian.
 *
 * <p>Not constant time: see the package.
 */
final class ElligatorSwift {

  /** Bytes of an encoded public key. */
  static final int LENGTH = 64;

  /** Bytes of an element of the field. */
  static final int HALF = 32;

  /** The ways of {@link #inverse}. */
  static final int CASES = 8;

  static final ECCurve CURVE = new SecP256K1Curve();

  private static final BigInteger P = CURVE.getField().getCharacteristic();
  private static final ECFieldElement ONE = element(BigInteger.ONE);
  private static final ECFieldElement TWO = element(BigInteger.valueOf(2));
  private static final ECFieldElement HALVE = TWO.invert();
  private static final ECFieldElement THREE = element(BigInteger.valueOf(3));
  private static final ECFieldElement FOUR = TWO.square();
  private static final ECFieldElement SEVEN = element(BigInteger.valueOf(7));

  // The square root of -3 that is a square itself.
  private static final ECFieldElement C =
      element(
          new BigInteger("a2d2ba93507f1df233770c2a797962cc61f6d15da14ecd47d8d27ae1cd5f852", 16));
  // (1 - c) / 2 and (1 + c) / 2
  private static final ECFieldElement HALF_OF_LESS = ONE.subtract(C).multiply(HALVE);
  private static final ECFieldElement HALF_OF_MORE = ONE.add(C).multiply(HALVE);

  private ElligatorSwift() {}

  /** Returns the x of the point that 64 bytes encode. All bytes encode one. */
  static ECFieldElement decode(byte[] encoding) {
    return swift(field(encoding, 0), field(encoding, HALF));
  }

  /** Returns one of the many encodings of a point's x, each about as likely as the others. */
  static byte[] encode(ECFieldElement x, Dice dice) {
    while (true) {
      ECFieldElement u = draw(dice);
      ECFieldElement t = inverse(x, u, dice.below(CASES));
      if (t != null) {
        byte[] encoding = Arrays.copyOf(u.getEncoded(), LENGTH);
        System.arraycopy(t.getEncoded(), 0, encoding, HALF, HALF);
        return encoding;
      }
    }
  }

  /** Returns the x of a scalar times the point that 64 bytes encode, 32 bytes. */
  static byte[] multiply(byte[] encoding, BigInteger scalar) {
    ECFieldElement x = decode(encoding);
    // Which of the two points does not matter: the product's x is the same.
    ECPoint point = CURVE.createPoint(x.toBigInteger(), root(curve(x)).toBigInteger());
    return point.multiply(scalar).normalize().getAffineXCoord().getEncoded();
  }

  private static ECFieldElement root(ECFieldElement square) {
    ECFieldElement root = square.sqrt();
    if (root == null) {
      throw new AssertionError("decode found x on the curve");
    }
    return root;
  }

  /** The function XSwiftEC. */
  private static ECFieldElement swift(ECFieldElement first, ECFieldElement second) {
    ECFieldElement u = first.isZero() ? ONE : first;
    ECFieldElement t = second.isZero() ? ONE : second;
    ECFieldElement g = curve(u);
    if (g.add(t.square()).isZero()) {
      t = t.multiply(TWO);
    }
    ECFieldElement x = g.subtract(t.square()).divide(t.multiply(TWO));
    ECFieldElement y = x.add(t).divide(C.multiply(u));
    ECFieldElement third = u.add(y.square().multiply(FOUR));
    if (isOnCurve(third)) {
      return third;
    }
    ECFieldElement quotient = x.divide(y);
    ECFieldElement next = quotient.negate().subtract(u).multiply(HALVE);
    return isOnCurve(next) ? next : quotient.subtract(u).multiply(HALVE);
  }

  /**
   * The function XSwiftECInv: returns t, so that u and t encode x, or null if this case has none.
   *
   * @param way the case, 0 to 7
   */
  static @Nullable ECFieldElement inverse(ECFieldElement x, ECFieldElement u, int way) {
    ECFieldElement g = curve(u);
    ECFieldElement v;
    ECFieldElement s;
    if ((way & 2) == 0) {
      if (isOnCurve(x.negate().subtract(u))) {
        return null;
      }
      v = x;
      s = g.negate().divide(u.square().add(u.multiply(v)).add(v.square()));
    } else {
      s = x.subtract(u);
      if (s.isZero()) {
        return null;
      }
      ECFieldElement r =
          s.negate().multiply(g.multiply(FOUR).add(THREE.multiply(u.square()).multiply(s))).sqrt();
      if (r == null || ((way & 1) == 1 && r.isZero())) {
        return null;
      }
      v = r.divide(s).subtract(u).multiply(HALVE);
    }
    ECFieldElement w = s.sqrt();
    if (w == null) {
      return null;
    }
    ECFieldElement factor = (way & 1) == 0 ? HALF_OF_LESS : HALF_OF_MORE;
    ECFieldElement t = w.multiply(u.multiply(factor).add(v));
    return (way & 5) == 0 || (way & 5) == 5 ? t.negate() : t;
  }

  /** Reads 32 bytes as an element, modulo the field's characteristic. */
  static ECFieldElement field(byte[] bytes, int offset) {
    return element(new BigInteger(1, Arrays.copyOfRange(bytes, offset, offset + HALF)).mod(P));
  }

  private static ECFieldElement element(BigInteger value) {
    return CURVE.fromBigInteger(value);
  }

  private static ECFieldElement draw(Dice dice) {
    return element(below(P, dice));
  }

  /** Draws a number from 1 to below a bound that is just under 2 to the power of 256. */
  static BigInteger below(BigInteger bound, Dice dice) {
    byte[] bytes = new byte[HALF];
    BigInteger drawn;
    do {
      dice.fill(bytes);
      drawn = new BigInteger(1, bytes);
    } while (drawn.signum() == 0 || drawn.compareTo(bound) >= 0);
    Arrays.fill(bytes, (byte) 0);
    return drawn;
  }

  private static ECFieldElement curve(ECFieldElement x) {
    return x.square().multiply(x).add(SEVEN);
  }

  private static boolean isOnCurve(ECFieldElement x) {
    return curve(x).sqrt() != null;
  }
}
