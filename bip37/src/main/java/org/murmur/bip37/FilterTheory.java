package org.murmur.bip37;

/**
 * Formulas about Bloom filters, and about what a BIP-0037 filter reveals, as pure functions.
 *
 * <p>Symbols: m bits, k hash functions, n elements, X bits set; U the scripts an observer could
 * test, N of them in the wallet, F others that match by chance.
 */
public final class FilterTheory {

  /** 97.5% quantile of the normal distribution, for two-sided intervals of 95%. */
  private static final double Z95 = 1.959963984540054;

  private FilterTheory() {}

  /**
   * The classic false-positive rate {@code (1 - e^(-kn/m))^k}, which assumes independent bits.
   * Slightly too low for small filters.
   *
   * @param bits m
   * @param hashFunctions k
   * @param elements n, which may be a fraction
   * @return 0 to 1; 1 if there are no bits or no functions
   */
  public static double classicRate(long bits, int hashFunctions, double elements) {
    if (bits == 0 || hashFunctions == 0) {
      return 1;
    }
    return Math.pow(-Math.expm1(-hashFunctions * elements / bits), hashFunctions);
  }

  /**
   * The standard false-positive rate {@code (1 - (1 - 1/m)^(kn))^k}.
   *
   * @param bits m
   * @param hashFunctions k
   * @param elements n
   * @return 0 to 1; 1 if there are no bits or no functions
   */
  public static double standardRate(long bits, int hashFunctions, double elements) {
    if (bits == 0 || hashFunctions == 0) {
      return 1;
    }
    double clear = hashFunctions * elements * Math.log1p(-1.0 / bits);
    return Math.pow(-Math.expm1(clear), hashFunctions);
  }

  /**
   * The exact false-positive rate for ideal hash functions, averaged over filters (Bose et al.
   * 2008, Christensen et al. 2010): the distribution of the number of bits set after kn throws,
   * step by step. Takes m·k·n operations, so it is for small filters.
   *
   * @param bits m
   * @param hashFunctions k
   * @param elements n
   * @return 0 to 1
   */
  public static double exactRate(int bits, int hashFunctions, int elements) {
    // chance[i]: the probability that i bits are set after the throws so far.
    double[] chance = new double[bits + 1];
    chance[0] = 1;
    int throwsLeft = Math.multiplyExact(hashFunctions, elements);
    for (int thrown = 0; thrown < throwsLeft; thrown++) {
      for (int i = Math.min(bits, thrown + 1); i > 0; i--) {
        chance[i] = chance[i] * i / bits + chance[i - 1] * (bits - i + 1) / bits;
      }
      chance[0] = 0;
    }
    double rate = 0;
    for (int i = 0; i <= bits; i++) {
      rate += chance[i] * Math.pow(i / (double) bits, hashFunctions);
    }
    return rate;
  }

  /**
   * Estimates how many elements a filter holds: {@code -(m/k) ln(1 - X/m)}. Every observer of a
   * filter can do so; it reveals the size of its wallet.
   *
   * @param bits m
   * @param hashFunctions k
   * @param bitsSet X
   * @return the estimate; infinite if every bit is set or there are no functions
   */
  public static double estimatedElements(long bits, int hashFunctions, long bitsSet) {
    if (bits == bitsSet || hashFunctions == 0) {
      return Double.POSITIVE_INFINITY;
    }
    return -((double) bits / hashFunctions) * Math.log1p(-bitsSet / (double) bits);
  }

  /**
   * The number of bits to expect after n elements: {@code m (1 - e^(-kn/m))}.
   *
   * @param bits m
   * @param hashFunctions k
   * @param elements n
   * @return the expected number of bits set
   */
  public static double expectedBitsSet(long bits, int hashFunctions, double elements) {
    return bits * -Math.expm1(-hashFunctions * elements / bits);
  }

  /**
   * The standard deviation of the number of bits set: {@code sqrt(m e^-c (1 - (1 + c) e^-c))} with
   * {@code c = kn/m}. Times {@code m / (k (m - X))} it is that of {@link #estimatedElements}.
   *
   * @param bits m
   * @param hashFunctions k
   * @param elements n
   * @return bits
   */
  public static double deviationOfBitsSet(long bits, int hashFunctions, double elements) {
    double c = hashFunctions * elements / bits;
    double clear = Math.exp(-c);
    return Math.sqrt(bits * clear * (1 - (1 + c) * clear));
  }

  /**
   * How many scripts that are not the wallet's match by chance: {@code F = (U - N) rate}.
   *
   * @param universe U
   * @param members N
   * @param rate the filter's false-positive rate
   * @return F, the decoys
   */
  public static double decoys(double universe, double members, double rate) {
    return (universe - members) * rate;
  }

  /**
   * The number of matches among which each of the wallet's hides: {@code (N + F) / N}.
   *
   * @param members N, above 0
   * @param decoys F
   * @return at least 1; 1 means that every match is the wallet's
   */
  public static double anonymitySet(double members, double decoys) {
    return (members + decoys) / members;
  }

  /**
   * The probability that j scripts picked among all that match are all the wallet's (Gervais et al.
   * 2014, {@code P_h(j)}): the product of {@code (N - i) / (N + F - i)} for i below j.
   *
   * @param members N
   * @param decoys F, which may be a fraction
   * @param picked j, at most N
   * @return 0 to 1
   * @throws IllegalArgumentException if more are picked than there are members
   */
  public static double allTrue(int members, double decoys, int picked) {
    if (picked < 0 || picked > members) {
      throw new IllegalArgumentException("picked " + picked + ", expected 0 to " + members);
    }
    double probability = 1;
    for (int i = 0; i < picked; i++) {
      probability *= (members - i) / (members + decoys - i);
    }
    return probability;
  }

  /**
   * The probability that a member can be denied: that each bit it sets is also set by some decoy
   * (γ-deniability, Bianchi et al. 2012): {@code (1 - e^(-Fk/s))^k} with {@code s = m (1 -
   * e^(-kn/m))}.
   *
   * @param bits m
   * @param hashFunctions k
   * @param elements n
   * @param decoys F
   * @return 0 to 1
   */
  public static double deniability(long bits, int hashFunctions, double elements, double decoys) {
    double set = expectedBitsSet(bits, hashFunctions, elements);
    return Math.pow(-Math.expm1(-decoys * hashFunctions / set), hashFunctions);
  }

  /**
   * How many blocks a filter with {@link UpdateFlag#ALL} lasts at a server until its false-positive
   * rate has doubled: every false match adds an outpoint, {@code n += O · rate(n)} a block.
   *
   * @param bits m
   * @param hashFunctions k
   * @param elements n at the start
   * @param outputsPerBlock O, the outputs of a block
   * @param limit where to stop counting
   * @return blocks, at most {@code limit}
   */
  public static long lifetime(
      long bits, int hashFunctions, double elements, double outputsPerBlock, long limit) {
    double doubled = 2 * classicRate(bits, hashFunctions, elements);
    double held = elements;
    for (long block = 0; block < limit; block++) {
      double rate = classicRate(bits, hashFunctions, held);
      if (rate >= doubled) {
        return block;
      }
      held += outputsPerBlock * rate;
    }
    return limit;
  }

  /**
   * An interval on the line.
   *
   * @param low its lower end
   * @param high its upper end
   */
  public record Interval(double low, double high) {

    /**
     * Returns whether a value lies in the interval.
     *
     * @param value the value
     * @return true if it does, ends included
     */
    public boolean holds(double value) {
      return low <= value && value <= high;
    }
  }

  /**
   * The 95% Wilson interval of a rate, from hits and trials.
   *
   * @param hits 0 to {@code trials}
   * @param trials above 0
   * @return the interval
   */
  public static Interval wilson95(long hits, long trials) {
    return wilson(hits, trials, Z95);
  }

  /**
   * The Wilson score interval of a rate, from hits and trials.
   *
   * @param hits 0 to {@code trials}
   * @param trials above 0
   * @param z half its width in standard deviations, 1.96 for 95%
   * @return the interval
   */
  public static Interval wilson(long hits, long trials, double z) {
    double seen = hits / (double) trials;
    double z2 = z * z;
    double centre = seen + z2 / (2 * trials);
    double half = z * Math.sqrt(seen * (1 - seen) / trials + z2 / (4.0 * trials * trials));
    double scale = 1 + z2 / trials;
    // These two ends are exact; computed, they would be off by rounding.
    double low = hits == 0 ? 0 : Math.max(0, (centre - half) / scale);
    double high = hits == trials ? 1 : Math.min(1, (centre + half) / scale);
    return new Interval(low, high);
  }
}
