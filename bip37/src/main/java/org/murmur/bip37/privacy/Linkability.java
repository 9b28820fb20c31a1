package org.murmur.bip37.privacy;

import org.murmur.bip37.BloomFilter;

/** Whether two filters can be told to be of the same wallet (M12). */
public final class Linkability {

  /** So many standard deviations above chance, two filters are called linked. */
  public static final double LINKED = 5;

  private Linkability() {}

  /**
   * Returns whether two filters are the same by themselves: size, functions, tweak and bits.
   *
   * @param one a filter
   * @param other a filter
   * @return true if nothing need be computed
   */
  public static boolean same(BloomFilter one, BloomFilter other) {
    return one.equals(other);
  }

  /**
   * How far the scripts that match both filters stand out from what chance would give.
   *
   * @param shared how many scripts are in both
   * @param universe the scripts that can be tested
   * @param one the first filter's rate
   * @param other the second filter's rate
   * @return standard deviations: {@code shared / sqrt(U · one · other)}; above {@link #LINKED} they
   *     are linked
   */
  public static Figure overlap(double shared, double universe, double one, double other) {
    return Figure.approximate(shared / Math.sqrt(universe * one * other));
  }

  /**
   * The same of scripts that were counted.
   *
   * @param joint how many scripts match both filters
   * @param universe how many were tested
   * @param one the first filter's rate
   * @param other the second filter's rate
   * @return standard deviations above what independent filters without common members give
   */
  public static Figure counted(long joint, double universe, double one, double other) {
    double chance = universe * one * other;
    return Figure.approximate((joint - chance) / Math.sqrt(chance));
  }
}
