package org.murmur.p2p.chain;

import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * The difficulty target: the number that a block hash must not exceed, and its compact form, nBits.
 *
 * <pre>
 * compact form (32 bits):  exponent 8 | sign 1 | mantissa 23     value = mantissa * 256^(exponent-3)
 * </pre>
 *
 * <p>The compact form keeps 23 bits of the number, so {@code Target.of(value).value()} can be a
 * little less than {@code value}; consensus uses the shortened number. Immutable.
 */
public final class Target {

  private static final int SIGN = 0x00800000;
  private static final BigInteger ALL = BigInteger.ONE.shiftLeft(256);

  private final int bits;
  private final BigInteger value;
  private final ChainWork work;

  // The value as four 64-bit words, most significant first, for comparison without allocation.
  private final long high;
  private final long upper;
  private final long lower;
  private final long low;

  private Target(int bits, BigInteger value) {
    this.bits = bits;
    this.value = value;
    this.work = ChainWork.of(ALL.divide(value.add(BigInteger.ONE)));
    this.high = value.shiftRight(192).longValue();
    this.upper = value.shiftRight(128).longValue();
    this.lower = value.shiftRight(64).longValue();
    this.low = value.longValue();
  }

  /**
   * Decodes the compact form.
   *
   * @param bits nBits as a header has it
   * @return the target, or null if the number is negative, zero or above 2^256-1
   */
  public static @Nullable Target decode(int bits) {
    int exponent = bits >>> 24;
    int mantissa = bits & 0x007fffff;
    BigInteger value =
        exponent <= 3
            ? BigInteger.valueOf(mantissa >>> (8 * (3 - exponent)))
            : BigInteger.valueOf(mantissa).shiftLeft(8 * (exponent - 3));
    boolean negative = (bits & SIGN) != 0;
    return negative || value.signum() == 0 || value.bitLength() > 256
        ? null
        : new Target(bits, value);
  }

  /**
   * Decodes the compact form of a valid header.
   *
   * @param bits nBits
   * @return the target
   * @throws IllegalArgumentException if it is negative, zero or above 2^256-1
   */
  public static Target ofBits(int bits) {
    Target target = decode(bits);
    if (target == null) {
      throw new IllegalArgumentException(
          "bits " + Integer.toHexString(bits) + ", expected a target of 1 to 2^256-1");
    }
    return target;
  }

  /**
   * Rounds a number down to a compact form.
   *
   * @param value 1 to 2^256-1
   * @return the target, at most {@code value}
   * @throws IllegalArgumentException if the number is out of range
   */
  public static Target of(BigInteger value) {
    if (value.signum() <= 0 || value.bitLength() > 256) {
      throw new IllegalArgumentException("target " + value + ", expected 1 to 2^256-1");
    }
    int exponent = (value.bitLength() + 7) / 8;
    int mantissa =
        exponent <= 3
            ? value.intValue() << (8 * (3 - exponent))
            : value.shiftRight(8 * (exponent - 3)).intValue();
    if ((mantissa & SIGN) != 0) { // the sign bit is not part of the mantissa
      mantissa >>>= 8;
      exponent++;
    }
    return ofBits((exponent << 24) | mantissa);
  }

  /** {@return the compact form, nBits} */
  public int bits() {
    return bits;
  }

  /** {@return the number, 1 to 2^256-1} */
  public BigInteger value() {
    return value;
  }

  /**
   * {@return the work of a block with this target: 2^256 / (target + 1), the expected number of
   * hashes; at least 1}
   */
  public ChainWork work() {
    return work;
  }

  /**
   * Returns whether a block hash, read as a number, is at most this target.
   *
   * @param hash the block hash
   * @return true if it proves the work
   */
  public boolean isReachedBy(Hash256 hash) {
    return isReachedBy(hash.toInternal(), 0);
  }

  /**
   * Returns whether a block hash, read as a number, is at most this target.
   *
   * @param hash holds the hash, 32 bytes in internal order
   * @param offset index of its first byte
   * @return true if it proves the work
   */
  public boolean isReachedBy(byte[] hash, int offset) {
    long word = LittleEndian.int64(hash, offset + 24);
    if (word != high) {
      return Long.compareUnsigned(word, high) < 0;
    }
    word = LittleEndian.int64(hash, offset + 16);
    if (word != upper) {
      return Long.compareUnsigned(word, upper) < 0;
    }
    word = LittleEndian.int64(hash, offset + 8);
    if (word != lower) {
      return Long.compareUnsigned(word, lower) < 0;
    }
    return Long.compareUnsigned(LittleEndian.int64(hash, offset), low) <= 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Target t && value.equals(t.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  /** Sixty-four hex digits, as a block hash is printed. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%064x", value);
  }
}
