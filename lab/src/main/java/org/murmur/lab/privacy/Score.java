package org.murmur.lab.privacy;

import org.murmur.bip37.FilterTheory;

/**
 * How well an adversary did: what he takes for the wallet's, against the truth.
 *
 * @param filters how many different filters he used
 * @param tp scripts of the wallet among those he takes for it
 * @param fp scripts of others among them
 * @param fn scripts of the wallet that he misses
 * @param negatives scripts of others that he tested
 * @param predicted how many of others theory expects from the bits of the filters; NaN without
 * @param auc the probability that he ranks a script of the wallet above one of somebody else's
 */
record Score(int filters, long tp, long fp, long fn, long negatives, double predicted, double auc) {

  /** The score of an adversary who says yes or no. */
  static Score of(int filters, long tp, long fp, long fn, long negatives, double predicted) {
    double recall = tp + fn == 0 ? 0 : tp / (double) (tp + fn);
    double quiet = 1 - fp / (double) negatives;
    return new Score(filters, tp, fp, fn, negatives, predicted, (recall + quiet) / 2);
  }

  /**
   * The area under the curve of an adversary who sorts scripts into levels.
   *
   * @param own scripts of the wallet by level, the least suspect first
   * @param others scripts of others by level
   */
  static double auc(long[] own, long[] others) {
    double below = 0;
    double sum = 0;
    double all = 0;
    for (int level = 0; level < own.length; level++) {
      sum += own[level] * (below + others[level] / 2.0);
      below += others[level];
      all += own[level];
    }
    return all == 0 || below == 0 ? 0.5 : sum / (all * below);
  }

  /** P_h(j) with a mean number of decoys: the chance that j picks are all the wallet's. */
  static double allTrue(long own, double decoys, int picked) {
    return FilterTheory.allTrue((int) own, decoys, (int) Math.min(picked, own));
  }
}
