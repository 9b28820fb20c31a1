package org.murmur.lab.families;

/**
 * The properties of a filter to build: the number of distinct elements it must hold, at least 1,
 * the false-positive rate at that number, between 0 and 1, and the seed for the keys of its hash
 * functions.
 */
record Plan(int capacity, double rate, long seed) {

  public Plan {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity " + capacity + ", expected 1 or more");
    }
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException("rate " + rate + ", expected more than 0 and less than 1");
    }
  }

  /** A copy with another seed, for families that fail with some seeds. */
  public Plan attempt(int number) {
    return new Plan(capacity, rate, seed + number * KeyedHash.GOLDEN);
  }
}
