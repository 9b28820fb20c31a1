package org.murmur.bip37.privacy;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterTheory;

/**
 * How many elements a filter seems to hold (M4): what everybody learns about the size of a wallet.
 *
 * @param elements the estimate; infinite if every bit is set
 * @param deviation its standard deviation; infinite with it
 */
public record LoadEstimate(double elements, double deviation) {

  /**
   * Estimates.
   *
   * @param filter somebody's filter
   * @return the estimate
   */
  public static LoadEstimate of(BloomFilter filter) {
    return of(filter.parameters().bits(), filter.parameters().hashFunctions(), filter.bitsSet());
  }

  /**
   * Estimates.
   *
   * @param bits m
   * @param hashFunctions k
   * @param bitsSet X
   * @return the estimate
   */
  public static LoadEstimate of(int bits, int hashFunctions, int bitsSet) {
    double elements = FilterTheory.estimatedElements(bits, hashFunctions, bitsSet);
    if (!Double.isFinite(elements)) {
      return new LoadEstimate(elements, elements);
    }
    double ofBits = FilterTheory.deviationOfBitsSet(bits, hashFunctions, elements);
    // How much the estimate moves with each bit: its derivative.
    double perBit = bits / (hashFunctions * (double) (bits - bitsSet));
    return new LoadEstimate(elements, ofBits * perBit);
  }
}
