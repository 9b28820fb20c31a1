package org.murmur.bip37.privacy;

import org.murmur.bip37.FilterTheory;

/**
 * The scripts that match what an observer has seen: the wallet's, and others by chance (M5 to M9).
 * A filter has no false negatives, so the wallet's are all among them.
 *
 * @param universe U: the scripts that the observer can test
 * @param members N: how many of them are the wallet's
 * @param rate the chance that another one matches everything that was seen
 */
public record MatchSet(double universe, int members, double rate) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one makes no sense
   */
  public MatchSet {
    if (members < 0 || members > universe) {
      throw new IllegalArgumentException("members " + members + ", expected 0 to " + universe);
    }
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException("rate " + rate + ", expected 0 to 1");
    }
  }

  /**
   * Returns how many others match (M5): {@code F = (U - N) rate}.
   *
   * @return F, the decoys to expect
   */
  public double decoys() {
    return FilterTheory.decoys(universe, members, rate);
  }

  /**
   * Returns among how many matches each member hides (M5): {@code K = (N + F) / N}.
   *
   * @return at least 1; infinite if there are no members
   */
  public double anonymitySet() {
    return FilterTheory.anonymitySet(members, decoys());
  }

  /**
   * Returns the size of the anonymity set in bits (M5).
   *
   * @return {@code log2 K}, at least 0
   */
  public double anonymityBits() {
    return Math.log(anonymitySet()) / Math.log(2);
  }

  /**
   * Returns which share of the matches is the wallet's (M7). The recall is 1.
   *
   * @return {@code N / (N + F)}
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
   * Returns what is left when the observer can test several elements for each script, say a key and
   * its hash, or a script and an outpoint, and all must match (M8).
   *
   * @param elements how many for each script, at least 1
   * @return the smaller match set
   */
  public MatchSet testedBy(int elements) {
    return new MatchSet(universe, members, Math.pow(rate, elements));
  }

  /**
   * Returns what is left when the same wallet is seen in one more filter with other hash functions
   * or another size (M9).
   *
   * @param another the other filter's rate
   * @return the smaller match set
   */
  public MatchSet and(double another) {
    return new MatchSet(universe, members, rate * another);
  }

  /**
   * Returns after how many such filters, each with other hash functions, at most one decoy is to be
   * expected (M9).
   *
   * @return {@code ceil(ln U / ln(1/rate))}; infinite if the filter matches everything
   */
  public double filtersUntilUnmasked() {
    if (rate >= 1) {
      return Double.POSITIVE_INFINITY;
    }
    // A power of the rate that is exactly 1/U must not need one more for the last digit's sake.
    return rate <= 0 ? 1 : Math.ceil(Math.log(universe) / -Math.log(rate) - 1e-9);
  }
}
