package org.murmur.bip37.internal.privacy;

import java.util.Arrays;
import org.murmur.bip37.FilterTheory;

/**
 * How well scores separate the wallet's matches from others (M13): what an observer learns from a
 * client's behaviour.
 *
 * @param auc the probability that a true match has a higher score than a false one, ties counted
 *     half: 0.5 is a coin, 1 is certainty
 * @param interval 95% around it (Hanley and McNeil 1982)
 * @param balancedAccuracy mean of the shares of true and false matches that are classified
 *     correctly, by scores above the threshold
 */
public record Distinguisher(double auc, FilterTheory.Interval interval, double balancedAccuracy) {

  private static final double Z95 = 1.959963984540054;

  /**
   * Measures.
   *
   * @param trueScores of matches that are the wallet's, at least one
   * @param falseScores of the others, at least one
   * @throws IllegalArgumentException if one of both is empty
   */
  public static Distinguisher of(double[] trueScores, double[] falseScores, double threshold) {
    if (trueScores.length == 0 || falseScores.length == 0) {
      throw new IllegalArgumentException(
          trueScores.length + " true and " + falseScores.length + " false, expected some of both");
    }
    double auc = auc(trueScores, falseScores);
    double right = (share(trueScores, threshold) + 1 - share(falseScores, threshold)) / 2;
    return new Distinguisher(auc, interval(auc, trueScores.length, falseScores.length), right);
  }

  /**
   * The area under the curve for scores in a few levels with many matches each.
   *
   * @param trues number of the wallet's matches per level, the least suspect level first
   * @param falses number of other matches per level
   * @return the probability that a true one is on a higher level than a false one, ties counted
   *     half; 0.5 if there are none of one kind
   */
  public static double auc(long[] trues, long[] falses) {
    double below = 0;
    double sum = 0;
    double all = 0;
    for (int level = 0; level < trues.length; level++) {
      sum += trues[level] * (below + falses[level] / 2.0);
      below += falses[level];
      all += trues[level];
    }
    return all == 0 || below == 0 ? 0.5 : sum / (all * below);
  }

  /** By ranks (Mann and Whitney), so that the cost is that of sorting. */
  private static double auc(double[] trueScores, double[] falseScores) {
    double[] sorted = falseScores.clone();
    Arrays.sort(sorted);
    double won = 0;
    for (double score : trueScores) {
      int below = firstAtLeast(sorted, score);
      int notAbove = firstAtLeast(sorted, Math.nextUp(score));
      won += below + (notAbove - below) / 2.0;
    }
    return won / ((double) trueScores.length * falseScores.length);
  }

  private static int firstAtLeast(double[] sorted, double value) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double share(double[] scores, double threshold) {
    return Arrays.stream(scores).filter(score -> score > threshold).count()
        / (double) scores.length;
  }

  private static FilterTheory.Interval interval(double auc, int trues, int falses) {
    double q1 = auc / (2 - auc);
    double q2 = 2 * auc * auc / (1 + auc);
    double variance =
        (auc * (1 - auc) + (trues - 1) * (q1 - auc * auc) + (falses - 1) * (q2 - auc * auc))
            / ((double) trues * falses);
    double half = Z95 * Math.sqrt(Math.max(0, variance));
    return new FilterTheory.Interval(Math.max(0, auc - half), Math.min(1, auc + half));
  }
}
