package org.murmur.bip37;

/**
 * How the ideal number of hash functions, bits / elements · ln 2, is rounded.
 *
 * <p>Bitcoin Core and bitcoinj differ, for instance for 366 elements at 1e-5: 15 and 16. Both are
 * valid, because a filter contains its number of functions. But the parameters reveal which
 * software sized the filter.
 */
public enum Rounding {
  /** Bitcoin Core: bits / elements is an integer division, its product with ln 2 is truncated. */
  CORE {
    @Override
    int idealFunctions(long bits, long elements) {
      long wholeQuotient = bits / elements;
      return (int) (wholeQuotient * LN2);
    }
  },

  /** The library bitcoinj: the exact quotient times ln 2 is truncated. */
  BITCOINJ {
    @Override
    int idealFunctions(long bits, long elements) {
      return (int) (bits / (double) elements * LN2);
    }
  };

  private static final double LN2 = Math.log(2);

  abstract int idealFunctions(long bits, long elements);

  /**
   * Returns the number of hash functions for a filter of a given size.
   *
   * <p>At least one. Core would use none for a filter with fewer bits than elements, which then
   * matches everything.
   *
   * @param bits the filter's size, above 0
   * @param elements how many elements it is to hold, above 0
   * @return at least 1; not limited to what BIP-0037 allows
   */
  int hashFunctions(long bits, long elements) {
    return Math.max(1, idealFunctions(bits, elements));
  }
}
