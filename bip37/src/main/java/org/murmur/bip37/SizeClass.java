package org.murmur.bip37;

import java.util.List;

/**
 * A filter size shared by many wallets, so that it reveals nothing about the wallet's size. A
 * filter of a class always contains exactly {@link #elements()} elements: the wallet's own and
 * dummies.
 *
 * <p>Bytes and hash functions follow BIP-0037's formulas for this number of elements at the class's
 * rate. The largest classes use the 36,000 bytes of a maximal {@code filterload}.
 *
 * @param elements exact number of elements of a filter
 * @param bytes its length
 * @param hashFunctions k
 * @param rate the false-positive rate it was made for, per element
 */
public record SizeClass(int elements, int bytes, int hashFunctions, double rate) {

  /** The rate of the cheap classes: one in ten thousand foreign elements matches. */
  public static final double THRIFTY = 1e-4;

  /** The rate of the classes with more noise and cost: one in a thousand. */
  public static final double GENEROUS = 1e-3;

  /** All classes, by rate and then by size. */
  public static final List<SizeClass> ALL =
      List.of(
          new SizeClass(256, 613, 13, THRIFTY),
          new SizeClass(512, 1_226, 13, THRIFTY),
          new SizeClass(4_096, 9_815, 13, THRIFTY),
          new SizeClass(15_023, 35_999, 13, THRIFTY),
          new SizeClass(2_048, 3_680, 9, GENEROUS),
          new SizeClass(20_000, 35_943, 9, GENEROUS));

  /** Maximum number of a wallet's elements per filter, the same for all rates. */
  public static final int MAX_ELEMENTS = 15_023;

  /**
   * Finds the smallest class that holds some elements.
   *
   * @param rate {@link #THRIFTY} or {@link #GENEROUS}
   * @param count how many elements, at most {@link #MAX_ELEMENTS}
   * @return the class
   * @throws IllegalArgumentException if there is none
   */
  public static SizeClass holding(double rate, int count) {
    for (SizeClass size : ALL) {
      if (Double.compare(size.rate, rate) == 0 && size.elements >= count) {
        return size;
      }
    }
    throw new IllegalArgumentException(
        "no size class of rate " + rate + " holds " + count + " elements");
  }

  /**
   * Returns the parameters of a filter of this class.
   *
   * @param tweak its tweak
   * @return parameters with {@link UpdateFlag#NONE}
   */
  public FilterParameters parameters(int tweak) {
    return new FilterParameters(bytes, hashFunctions, tweak, UpdateFlag.NONE);
  }
}
