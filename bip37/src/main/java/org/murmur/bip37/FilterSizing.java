package org.murmur.bip37;

/**
 * The filter size for a number of elements and a false-positive rate, without the limits of
 * BIP-0037.
 *
 * <p>For planning and for tables, up to 10 billion elements and beyond. {@link FilterParameters#of}
 * applies the limits.
 *
 * @param elements how many elements, at least 1
 * @param rate the false-positive rate asked for
 * @param bytes size in bytes, at least 1
 * @param hashFunctions number of hash functions, at least 1
 */
public record FilterSizing(long elements, double rate, long bytes, int hashFunctions) {

  private static final double LN2_SQUARED = Math.log(2) * Math.log(2);

  /** More elements than any chain will have; the products below do not overflow. */
  private static final long MAX_ELEMENTS = 1L << 50;

  /**
   * Computes the size: {@code -elements · ln(rate) / ln²2} bits, cut to whole bytes.
   *
   * @param elements how many elements, 1 to 2^50
   * @param rate the false-positive rate, above 0 and below 1
   * @param rounding whose number of hash functions to take
   * @return the sizing
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static FilterSizing of(long elements, double rate, Rounding rounding) {
    if (elements < 1 || elements > MAX_ELEMENTS) {
      throw new IllegalArgumentException("elements " + elements + ", expected 1 to 2^50");
    }
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException("rate " + rate + ", expected more than 0 and less than 1");
    }
    // The order of operations is that of Core and bitcoinj, so that the last digit agrees.
    long bits = (long) (-1 / LN2_SQUARED * elements * Math.log(rate));
    long bytes = Math.max(1, bits / 8);
    return new FilterSizing(elements, rate, bytes, rounding.hashFunctions(8 * bytes, elements));
  }

  /** {@return the size in bits, eight times {@link #bytes()}} */
  public long bits() {
    return 8 * bytes;
  }

  /**
   * {@return the false-positive rate of this size and number of functions with all elements
   * inserted; see {@link FilterTheory#classicRate}; 0 to 1, near {@link #rate()}}
   */
  public double expectedRate() {
    return FilterTheory.classicRate(bits(), hashFunctions, (double) elements);
  }

  /**
   * {@return whether a filter of this size may be sent; true within 36,000 bytes and 50 functions}
   */
  public boolean fitsBip37() {
    return bytes <= FilterParameters.MAX_BYTES
        && hashFunctions <= FilterParameters.MAX_HASH_FUNCTIONS;
  }
}
