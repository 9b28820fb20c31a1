package org.murmur.lab.stats;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.regtest.chain.Dice;

/** Filters of elements that nobody else has, so that all they match they match by chance. */
public final class RandomFilter {

  /** As long as a key hash, which is what wallets put into filters most. */
  public static final int ELEMENT_BYTES = 20;

  private RandomFilter() {}

  /**
   * Makes one.
   *
   * @param parameters what it is to be like
   * @param elements how many it is to hold
   * @param dice where they come from
   * @return the filter
   */
  public static BloomFilter of(FilterParameters parameters, long elements, Dice dice) {
    BloomFilter.Builder builder = BloomFilter.builder(parameters);
    for (long i = 0; i < elements; i++) {
      builder.add(dice.bytes(ELEMENT_BYTES));
    }
    return builder.build();
  }
}
