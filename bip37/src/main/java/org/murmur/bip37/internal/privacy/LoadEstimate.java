package org.murmur.bip37.internal.privacy;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterTheory;

/**
 * The estimated number of elements of a filter (M4), which reveals the size of a wallet to every
 * observer.
 *
 * @param elements the estimate; infinite if every bit is set
 * @param deviation its standard deviation; infinite with it
 */
public record LoadEstimate(double elements, double deviation) {

  public static LoadEstimate of(BloomFilter filter) {
    return of(filter.parameters().bits(), filter.parameters().hashFunctions(), filter.bitsSet());
  }

  /**
   * Estimates.
   *
   * @param bits m
   * @param hashFunctions k
   * @param bitsSet X
   */
  public static LoadEstimate of(int bits, int hashFunctions, int bitsSet) {
    double elements = FilterTheory.estimatedElements(bits, hashFunctions, bitsSet);
    if (!Double.isFinite(elements)) {
      return new LoadEstimate(elements, elements);
    }
    double ofBits = FilterTheory.deviationOfBitsSet(bits, hashFunctions, elements);
    // The derivative of the estimate by the number of bits.
    double perBit = bits / (hashFunctions * (double) (bits - bitsSet));
    return new LoadEstimate(elements, ofBits * perBit);
  }
}
