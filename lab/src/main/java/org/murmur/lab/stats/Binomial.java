package org.murmur.lab.stats;

import org.murmur.bip37.FilterTheory;

/** The number of successes of independent trials. */
public final class Binomial {

  private Binomial() {}

  /**
   * Returns the exact interval of a rate (Clopper and Pearson 1934) for 0 to {@code trials} hits.
   * Each side is wrong with at most half of the chance that the confidence, above 0 and below 1,
   * leaves. The normal approximations fail for a handful of hits: the wider the interval, the more
   * often. Wilson's for 99.95 % begins above the true rate with a chance of 6 % if that rate makes
   * 0.06 hits likely.
   *
   * <p>The interval is valid for trials of unequal chances, too: their number of successes scatters
   * less than that of trials of their mean chance (Hoeffding 1956).
   */
  public static FilterTheory.Interval rate(long hits, long trials, double confidence) {
    return share((double) hits, trials, confidence);
  }

  /** The same of a sum of shares. */
  static FilterTheory.Interval share(double hits, long trials, double confidence) {
    double doubt = (1 - confidence) / 2;
    return new FilterTheory.Interval(
        hits == 0 ? 0 : Beta.quantile(doubt, hits, trials - hits + 1.0),
        hits == trials ? 1 : Beta.quantile(1 - doubt, hits + 1.0, trials - hits));
  }

  /**
   * Returns the confidence of one of at least 1 intervals that all hold together (Bonferroni);
   * valid if they depend on each other.
   */
  public static double each(double confidence, int intervals) {
    return 1 - (1 - confidence) / intervals;
  }

  /**
   * Returns the interval of expected counts, whole numbers, for a mean of 0 to {@code trials}
   * successes. Each side excludes at most half of the chance that the confidence, above 0 and below
   * 1, leaves. Trials of unequal chances scatter less than those of their mean chance, so the
   * interval is valid for them, too.
   */
  public static FilterTheory.Interval counts(long trials, double mean, double confidence) {
    double doubt = (1 - confidence) / 2;
    double chance = trials == 0 ? 0 : mean / trials;
    if (chance <= 0 || chance >= 1) {
      return new FilterTheory.Interval(mean, mean);
    }
    double odds = Math.log(chance) - Math.log1p(-chance);
    double log = trials * Math.log1p(-chance);
    double below = 0;
    long low = -1;
    for (long count = 0; count < trials; count++) {
      double upTo = below + Math.exp(log);
      if (low < 0 && upTo > doubt) {
        low = count;
      }
      if (upTo >= 1 - doubt) {
        return new FilterTheory.Interval(low, count);
      }
      below = upTo;
      log += odds + Math.log((double) (trials - count)) - Math.log(count + 1.0);
    }
    return new FilterTheory.Interval(low < 0 ? trials : low, trials);
  }
}
