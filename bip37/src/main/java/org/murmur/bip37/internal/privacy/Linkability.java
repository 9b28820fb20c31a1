package org.murmur.bip37.internal.privacy;

import org.murmur.bip37.BloomFilter;

/** Whether two filters can be linked to one wallet (M12). */
public final class Linkability {

  /** Two filters count as linked above this many standard deviations. */
  public static final double LINKED = 5;

  private Linkability() {}

  /** Returns whether two filters are equal in size, functions, tweak and bits. */
  public static boolean same(BloomFilter one, BloomFilter other) {
    return one.equals(other);
  }

  /**
   * How much the number of scripts that match both filters exceeds chance.
   *
   * @param shared how many scripts are in both
   * @param universe the scripts that can be tested
   * @return standard deviations: {@code shared / sqrt(U · one · other)}; above {@link #LINKED} they
   *     are linked
   */
  public static Figure overlap(double shared, double universe, double one, double other) {
    return Figure.approximate(shared / Math.sqrt(universe * one * other));
  }

  /**
   * The same for counted scripts.
   *
   * @return standard deviations above what independent filters without common members give
   */
  public static Figure counted(long joint, double universe, double one, double other) {
    double chance = universe * one * other;
    return Figure.approximate((joint - chance) / Math.sqrt(chance));
  }
}
