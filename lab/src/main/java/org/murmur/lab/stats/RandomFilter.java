package org.murmur.lab.stats;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.regtest.chain.Dice;

/** Filters of random elements that occur nowhere else, so that every match is a false positive. */
public final class RandomFilter {

  /** The length of a key hash, the most common element of wallet filters. */
  public static final int ELEMENT_BYTES = 20;

  private RandomFilter() {}

  /** Sizes a filter as Core does, which its node does not change. */
  public static FilterParameters sized(long elements, double rate, int tweak) {
    return FilterParameters.of(elements, rate, tweak, UpdateFlag.NONE, Rounding.CORE);
  }

  /** Draws the tweak of such a filter, then its elements. */
  public static BloomFilter of(long elements, double rate, Dice dice) {
    return of(sized(elements, rate, (int) dice.number()), elements, dice);
  }

  public static BloomFilter of(FilterParameters parameters, long elements, Dice dice) {
    BloomFilter.Builder builder = BloomFilter.builder(parameters);
    for (long i = 0; i < elements; i++) {
      builder.add(dice.bytes(ELEMENT_BYTES));
    }
    return builder.build();
  }
}
