package org.murmur.lab.families;

/** Formulas that several families share. */
final class Theory {

  public static final double LN2 = Math.log(2);

  private Theory() {}

  public static double log2(double value) {
    return Math.log(value) / LN2;
  }

  /** The least bits per element of any filter: log2(1/rate). */
  public static double bound(double rate) {
    return -log2(rate);
  }

  /**
   * Bits per element of a Bloom filter with the best number of hash functions: 1.44 times the
   * bound.
   */
  public static double bloomBits(double rate) {
    return bound(rate) / LN2;
  }

  /** The least whole number of bits at which fingerprints collide at this rate or less. */
  public static int widthFor(double rate) {
    return (int) Math.max(1, Math.ceil(bound(rate) - 1e-9));
  }
}
