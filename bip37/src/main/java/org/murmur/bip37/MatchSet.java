package org.murmur.bip37;

/**
 * The scripts that match an observer's filters: the wallet's, and decoys (M5 to M9). A filter has
 * no false negatives, so all of the wallet's scripts match.
 *
 * @param universe U: the scripts that the observer can test
 * @param members N: how many of them are the wallet's
 * @param rate probability that a foreign script matches all filters
 */
public record MatchSet(double universe, int members, double rate) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public MatchSet {
    if (members < 0 || members > universe) {
      throw new IllegalArgumentException("members " + members + ", expected 0 to " + universe);
    }
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException("rate " + rate + ", expected 0 to 1");
    }
  }

  /** {@return the expected number of decoys (M5): {@code F = (U - N) rate}} */
  public double decoys() {
    return FilterTheory.decoys(universe, members, rate);
  }

  /**
   * {@return the number of matches among which each member hides (M5): {@code K = (N + F) / N}; at
   * least 1; infinite if there are no members}
   */
  public double anonymitySet() {
    return FilterTheory.anonymitySet(members, decoys());
  }

  /** {@return the size of the anonymity set in bits (M5): {@code log2 K}, at least 0} */
  public double anonymityBits() {
    return Math.log(anonymitySet()) / Math.log(2);
  }

  /**
   * {@return the share of the wallet's scripts among the matches (M7): {@code N / (N + F)}} The
   * recall is 1.
   */
  public double precision() {
    return 1 / anonymitySet();
  }

  /**
   * Returns the chance that scripts picked among the matches are all the wallet's (M6, {@code
   * P_h(j)}).
   *
   * @param picked j, at most N
   * @return 0 to 1
   */
  public double allTrue(int picked) {
    return FilterTheory.allTrue(members, decoys(), picked);
  }

  /**
   * Returns the match set when the observer tests several elements per script that must all match,
   * such as a key and its hash (M8).
   *
   * @param elements elements per script, at least 1
   * @return the smaller match set
   */
  public MatchSet testedBy(int elements) {
    return new MatchSet(universe, members, Math.pow(rate, elements));
  }

  /**
   * Returns the match set after one more filter of the same wallet with other hash functions or
   * size (M9).
   *
   * @param another the other filter's rate
   * @return the smaller match set
   */
  public MatchSet and(double another) {
    return new MatchSet(universe, members, rate * another);
  }

  /**
   * Returns the number of such filters, with different hash functions, after which at most one
   * decoy is expected (M9).
   *
   * @return {@code ceil(ln U / ln(1/rate))}; infinite if the filter matches everything
   */
  public double filtersUntilUnmasked() {
    if (rate >= 1) {
      return Double.POSITIVE_INFINITY;
    }
    // Tolerance for rounding: a power of the rate that is exactly 1/U needs no further filter.
    return rate <= 0 ? 1 : Math.ceil(Math.log(universe) / -Math.log(rate) - 1e-9);
  }
}
