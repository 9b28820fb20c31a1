package org.murmur.lab.privacy.adversaries;

import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.internal.privacy.Distinguisher;

/**
 * How well an adversary did: the scripts it assigned to the wallet, compared with the truth.
 *
 * @param filters the number of different filters it used
 * @param tp true positives: scripts of the wallet that it assigned to the wallet
 * @param fp false positives: other scripts that it assigned to the wallet
 * @param fn false negatives: scripts of the wallet that it missed
 * @param negatives the number of other scripts it tested
 * @param predicted the false positives that theory expects from the bits of the filters; NaN if
 *     unknown
 * @param auc the probability that it ranks a script of the wallet above another script
 */
public record Score(
    int filters, long tp, long fp, long fn, long negatives, double predicted, double auc) {

  /** Makes the score of an adversary with yes or no answers. */
  static Score of(int filters, long tp, long fp, long fn, long negatives, double predicted) {
    double auc = Distinguisher.auc(new long[] {fn, tp}, new long[] {negatives - fp, fp});
    return new Score(filters, tp, fp, fn, negatives, predicted, auc);
  }

  /** P_h(j) for a mean number of decoys: the chance that all j picks are the wallet's. */
  public static double allTrue(long own, double decoys, int picked) {
    return FilterTheory.allTrue((int) own, decoys, (int) Math.min(picked, own));
  }
}
