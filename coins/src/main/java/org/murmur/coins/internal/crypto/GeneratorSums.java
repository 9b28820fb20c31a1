package org.murmur.coins.internal.crypto;

import java.math.BigInteger;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.custom.sec.SecP256K1Field;
import org.bouncycastle.math.raw.Nat256;

/**
 * Adds many multiples of the generator to many points at once, the core of derivation (BIP-0032)
 * and taproot (BIP-0341).
 *
 * <p>A scalar is cut into 32 bytes; for each byte a point of a table is added to the sum so far, in
 * affine coordinates. An affine addition needs a division, but all sums of a batch handle the same
 * byte together and share one (Montgomery's trick), which leaves six multiplications for an
 * addition. A thousand keys take about a quarter of the time that they take one by one; for a few
 * keys the table is not worth its cost. Public values only: the time taken depends on them.
 */
public final class GeneratorSums {

  /** From this many on, making the table pays for itself at once. */
  static final int WORTHWHILE = 150;

  private static final int BYTES = 32;
  private static final int DIGITS = 256;

  private GeneratorSums() {}

  /**
   * Computes {@code base[i] + scalar[i] * G}.
   *
   * @param bases normalised points, none at infinity
   * @param scalars one for each point, 32 bytes big-endian, below {@link Secp256k1#ORDER}
   * @throws IllegalStateException if a sum is at infinity, which happens once in 2^127 times
   */
  public static ECPoint[] of(ECPoint[] bases, byte[][] scalars) {
    ECPoint[] sums =
        bases.length < WORTHWHILE ? oneByOne(bases, scalars) : together(bases, scalars);
    for (ECPoint sum : sums) {
      if (sum.isInfinity()) {
        throw new IllegalStateException("there is no key at this place");
      }
    }
    return sums;
  }

  /** Tweaks internal keys that have no script path (BIP-0341, BIP-0086). */
  public static ECPoint[] taprootOutputs(ECPoint[] internals) {
    ECPoint[] even = new ECPoint[internals.length];
    byte[][] tweaks = new byte[internals.length][];
    for (int i = 0; i < even.length; i++) {
      ECPoint internal = internals[i];
      even[i] = internal.getAffineYCoord().testBitZero() ? internal.negate() : internal;
      tweaks[i] = Hashes.tagged("TapTweak", Secp256k1.encodeX(internal));
      Secp256k1.scalar(tweaks[i]);
    }
    return of(even, tweaks);
  }

  static ECPoint[] oneByOne(ECPoint[] bases, byte[][] scalars) {
    ECPoint[] sums = new ECPoint[bases.length];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = oneSum(bases[i], scalars[i]);
    }
    Secp256k1.CURVE.normalizeAll(sums);
    return sums;
  }

  static ECPoint[] together(ECPoint[] bases, byte[][] scalars) {
    Batch batch = new Batch(bases);
    for (int position = 0; position < BYTES; position++) {
      for (int i = 0; i < bases.length; i++) {
        int digit = scalars[i][BYTES - 1 - position] & 0xff;
        if (digit != 0) {
          batch.plan(i, Table.X[position][digit], Table.Y[position][digit]);
        }
      }
      batch.add();
    }
    ECPoint[] sums = new ECPoint[bases.length];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = batch.failed[i] ? oneSum(bases[i], scalars[i]).normalize() : batch.point(i);
    }
    return sums;
  }

  private static ECPoint oneSum(ECPoint base, byte[] scalar) {
    return Secp256k1.generatorTimes(new BigInteger(1, scalar)).add(base);
  }

  /** All {@code digit * 256^position * G}; made when first used, 0.8 MB. */
  private static final class Table {
    static final int[][][] X = new int[BYTES][DIGITS][];
    static final int[][][] Y = new int[BYTES][DIGITS][];

    static {
      ECPoint[] ones = new ECPoint[BYTES];
      ECPoint[] twos = new ECPoint[BYTES];
      ones[0] = Secp256k1.generatorTimes(BigInteger.ONE);
      for (int position = 0; position < BYTES; position++) {
        if (position > 0) {
          ones[position] = ones[position - 1].timesPow2(8);
        }
        twos[position] = ones[position].twice();
      }
      Secp256k1.CURVE.normalizeAll(ones);
      Secp256k1.CURVE.normalizeAll(twos);
      Batch one = new Batch(ones);
      Batch sum = new Batch(twos);
      keep(1, one);
      keep(2, sum);
      for (int digit = 3; digit < DIGITS; digit++) {
        for (int position = 0; position < BYTES; position++) {
          sum.plan(position, one.x[position], one.y[position]);
        }
        sum.add();
        keep(digit, sum);
      }
    }

    private static void keep(int digit, Batch batch) {
      for (int position = 0; position < BYTES; position++) {
        X[position][digit] = batch.x[position].clone();
        Y[position][digit] = batch.y[position].clone();
      }
    }
  }

  /** Points in affine coordinates to which others are added, all with one inversion. */
  private static final class Batch {
    final int[][] x;
    final int[][] y;

    /** Where two points with the same x met, which has no slope; never in a sum of hashes. */
    final boolean[] failed;

    private final int[][] otherX;
    private final int[][] otherY;
    private final int[] planned;
    private int count;

    /** {@code products[k]} is the product of the first k + 1 differences of x. */
    private final int[][] products;

    private final int[][] differences;
    private final int[] inverse = Nat256.create();
    private final int[] slope = Nat256.create();
    private final int[] newX = Nat256.create();
    private final int[] wide = Nat256.createExt();

    Batch(ECPoint[] points) {
      int n = points.length;
      x = new int[n][];
      y = new int[n][];
      failed = new boolean[n];
      otherX = new int[n][];
      otherY = new int[n][];
      planned = new int[n];
      products = new int[n][];
      differences = new int[n][];
      for (int i = 0; i < n; i++) {
        x[i] = SecP256K1Field.fromBigInteger(points[i].getAffineXCoord().toBigInteger());
        y[i] = SecP256K1Field.fromBigInteger(points[i].getAffineYCoord().toBigInteger());
        products[i] = Nat256.create();
        differences[i] = Nat256.create();
      }
    }

    /** Notes that a point is to be added to the sum of an index, once at most before an add. */
    void plan(int index, int[] pointX, int[] pointY) {
      if (failed[index]) {
        return;
      }
      int[] difference = differences[count];
      SecP256K1Field.subtract(pointX, x[index], difference);
      if (Nat256.isZero(difference)) {
        failed[index] = true;
        return;
      }
      if (count == 0) {
        Nat256.copy(difference, products[0]);
      } else {
        SecP256K1Field.multiply(products[count - 1], difference, products[count], wide);
      }
      otherX[count] = pointX;
      otherY[count] = pointY;
      planned[count++] = index;
    }

    /** Adds what was planned. */
    void add() {
      if (count == 0) {
        return;
      }
      SecP256K1Field.inv(products[count - 1], inverse);
      for (int k = count - 1; k > 0; k--) {
        SecP256K1Field.multiply(inverse, products[k - 1], slope, wide);
        SecP256K1Field.multiply(inverse, differences[k], inverse, wide);
        addOne(k);
      }
      Nat256.copy(inverse, slope);
      addOne(0);
      count = 0;
    }

    /** The chord through both points; {@code slope} holds the inverse of their difference of x. */
    private void addOne(int k) {
      int[] x1 = x[planned[k]];
      int[] y1 = y[planned[k]];
      SecP256K1Field.subtract(otherY[k], y1, newX);
      SecP256K1Field.multiply(slope, newX, slope, wide);
      SecP256K1Field.square(slope, newX, wide);
      SecP256K1Field.subtract(newX, x1, newX);
      SecP256K1Field.subtract(newX, otherX[k], newX);
      SecP256K1Field.subtract(x1, newX, x1);
      SecP256K1Field.multiply(slope, x1, slope, wide);
      SecP256K1Field.subtract(slope, y1, y1);
      Nat256.copy(newX, x1);
    }

    ECPoint point(int index) {
      return Secp256k1.CURVE.createPoint(
          Nat256.toBigInteger(x[index]), Nat256.toBigInteger(y[index]));
    }
  }
}
