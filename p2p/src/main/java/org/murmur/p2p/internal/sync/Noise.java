package org.murmur.p2p.internal.sync;

import java.util.SplittableRandom;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.ByteWriter;

/** Filters of random bits: they match some transactions, and contain nothing of the wallet. */
public final class Noise {

  /** With {@link #ELEMENTS}, 1 of 16 bits is set: about a third of all transactions match. */
  private static final int BYTES = 64;

  private static final int ELEMENTS = 32;
  private static final int FUNCTIONS = 1;

  private Noise() {}

  /** Makes a filter that matches about a third of all transactions. */
  public static BloomFilter some(SplittableRandom dice) {
    return of(BYTES, ELEMENTS, dice);
  }

  /** Makes a filter that matches almost all transactions. */
  public static BloomFilter most(SplittableRandom dice) {
    return of(1, ELEMENTS, dice);
  }

  /** Makes a filter that matches nothing. */
  public static BloomFilter nothing(SplittableRandom dice) {
    return of(1, 0, dice);
  }

  private static BloomFilter of(int bytes, int elements, SplittableRandom dice) {
    BloomFilter.Builder noise =
        BloomFilter.builder(
            new FilterParameters(bytes, FUNCTIONS, dice.nextInt(), UpdateFlag.NONE));
    for (int i = 0; i < elements; i++) {
      noise.add(new ByteWriter(Long.BYTES).int64(dice.nextLong()).toBytes());
    }
    return noise.build();
  }

  /**
   * Returns whether a filter has this form. Filters of the wallet's elements have more hash
   * functions.
   */
  public static boolean isNoise(BloomFilter filter) {
    FilterParameters parameters = filter.parameters();
    return parameters.hashFunctions() == FUNCTIONS
        && parameters.bytes() <= BYTES
        && parameters.flag() == UpdateFlag.NONE;
  }
}
