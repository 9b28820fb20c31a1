package org.murmur.lab.stats;

import org.murmur.bip37.FilterTheory;

/** The number of successes of independent trials. */
public final class Binomial {

  private Binomial() {}

  /**
   * Returns the interval of expected counts. Trials of unequal chances scatter less than those of
   * their mean chance, so the interval is valid for them, too.
   *
   * @param trials the number of trials
   * @param mean the mean number of successes, 0 to {@code trials}
   * @param confidence the least chance that the count lies inside; above 0 and below 1
   * @return whole numbers; each side excludes at most half of the remaining chance
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
