package org.murmur.bip37.internal.privacy;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterTheory;

/**
 * False-positive rates of filters (M2), and derived values. Symbols: m bits, k hash functions, n
 * elements, X bits set.
 */
public final class Rates {

  private Rates() {}

  /**
   * The classic formula, bitcoinj's {@code getFalsePositiveRate}.
   *
   * @param bits m
   * @param hashFunctions k
   * @param elements n
   * @return {@code (1 - e^(-kn/m))^k}
   */
  public static Figure classic(long bits, int hashFunctions, double elements) {
    return Figure.approximate(FilterTheory.classicRate(bits, hashFunctions, elements));
  }

  /**
   * The standard formula.
   *
   * @return {@code (1 - (1 - 1/m)^(kn))^k}
   */
  public static Figure standard(long bits, int hashFunctions, double elements) {
    return Figure.approximate(FilterTheory.standardRate(bits, hashFunctions, elements));
  }

  /**
   * The mean over all filters of these parameters (Bose et al. 2008, Christensen et al. 2010).
   *
   * @return see {@link FilterTheory#exactRate}, which takes m·k·n operations
   */
  public static Figure exact(int bits, int hashFunctions, int elements) {
    return Figure.exact(FilterTheory.exactRate(bits, hashFunctions, elements));
  }

  /**
   * The rate of one filter, from the bits that are set.
   *
   * @return {@code (X/m)^k}
   */
  public static Figure realised(BloomFilter filter) {
    return Figure.exact(filter.realisedRate());
  }

  /**
   * γ-deniability (M10; Bianchi et al. 2012): the chance that each bit a member sets is also set by
   * one of the decoys.
   *
   * @param decoys how many others match
   * @return 0 to 1
   */
  public static Figure deniability(long bits, int hashFunctions, double elements, double decoys) {
    return Figure.approximate(FilterTheory.deniability(bits, hashFunctions, elements, decoys));
  }

  /**
   * The growth of a server-side filter under {@code UPDATE_ALL} (M16): each false match adds an
   * outpoint.
   *
   * @param elements n at the start
   * @param outputsPerBlock foreign outputs per block
   * @return the rate before the first block, and after each: one more than {@code blocks}
   */
  public static List<Double> underUpdateAll(
      long bits, int hashFunctions, double elements, double outputsPerBlock, int blocks) {
    List<Double> rates = new ArrayList<>();
    double held = elements;
    for (int block = 0; block <= blocks; block++) {
      double rate = FilterTheory.classicRate(bits, hashFunctions, held);
      rates.add(rate);
      held += outputsPerBlock * rate;
    }
    return rates;
  }
}
