package org.murmur.lab.privacy.adversaries;

import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.privacy.Distinguisher;

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
public record Score(
    int filters, long tp, long fp, long fn, long negatives, double predicted, double auc) {

  /** The score of an adversary who says yes or no. */
  static Score of(int filters, long tp, long fp, long fn, long negatives, double predicted) {
    double auc = Distinguisher.auc(new long[] {fn, tp}, new long[] {negatives - fp, fp});
    return new Score(filters, tp, fp, fn, negatives, predicted, auc);
  }

  /** P_h(j) with a mean number of decoys: the chance that j picks are all the wallet's. */
  public static double allTrue(long own, double decoys, int picked) {
    return FilterTheory.allTrue((int) own, decoys, (int) Math.min(picked, own));
  }
}
