package org.murmur.coins.internal.sign;

import java.math.BigInteger;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;
import org.murmur.coins.internal.crypto.Secp256k1;

/** Arithmetic of signatures: scalars modulo the order, and the points of verification. */
final class Curve {

  static final BigInteger ORDER = Secp256k1.ORDER;

  /** Bytes of a scalar or of a point's x. */
  static final int LENGTH = 32;

  private static final BigInteger HALF_ORDER = ORDER.shiftRight(1);
  private static final ECPoint GENERATOR = Secp256k1.generatorTimes(BigInteger.ONE).normalize();

  private Curve() {}

  /** Reads a scalar that may be above the order, and reduces it. */
  static BigInteger reduced(byte[] bytes) {
    return new BigInteger(1, bytes).mod(ORDER);
  }

  static byte[] bytes(BigInteger scalar) {
    return BigIntegers.asUnsignedByteArray(LENGTH, scalar);
  }

  /** Whether it is in the range of private keys and of the parts of a signature. */
  static boolean isScalar(BigInteger value) {
    return value.signum() > 0 && value.compareTo(ORDER) < 0;
  }

  static boolean isLow(BigInteger s) {
    return s.compareTo(HALF_ORDER) <= 0;
  }

  /** For secret values: the platform's modular inverse takes a time that depends on them more. */
  static BigInteger inverse(BigInteger scalar) {
    return BigIntegers.modOddInverse(ORDER, scalar);
  }

  /** {@code a * G + b * point}, normalised; for public values only. */
  static ECPoint sum(BigInteger a, ECPoint point, BigInteger b) {
    return ECAlgorithms.sumOfTwoMultiplies(GENERATOR, a, point, b).normalize();
  }

  static boolean isOdd(ECPoint normalised) {
    return normalised.getAffineYCoord().testBitZero();
  }

  static BigInteger x(ECPoint normalised) {
    return normalised.getAffineXCoord().toBigInteger();
  }
}
