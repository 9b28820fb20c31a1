package org.murmur.lab.families.filter;

/**
 * What a filter is to be.
 *
 * @param capacity how many distinct elements it is to hold, at least 1
 * @param rate the false-positive rate wanted when it holds them, between 0 and 1
 * @param seed from which the keys of its hash functions follow
 */
public record Plan(int capacity, double rate, long seed) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public Plan {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity " + capacity + ", expected 1 or more");
    }
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException("rate " + rate + ", expected more than 0 and less than 1");
    }
  }

  /** The same with another seed, for those that fail with some seeds. */
  public Plan attempt(int number) {
    return new Plan(capacity, rate, seed + number * KeyedHash.GOLDEN);
  }
}
