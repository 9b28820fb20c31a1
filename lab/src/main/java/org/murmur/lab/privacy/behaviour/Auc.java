package org.murmur.lab.privacy.behaviour;

import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.internal.privacy.Distinguisher;

/**
 * How well scores separate own matches from foreign ones, with an interval that stays honest for a
 * handful of each.
 *
 * @param value the chance that an own match has the higher score, ties counted half
 * @param interval 95 % around it. The variance of this value is at most that of a share of as many
 *     picks as the rarer kind has (Birnbaum and Klose 1957), so it is Wilson's interval of such a
 *     share. It has a width even if the value is 0 or 1.
 */
record Auc(double value, FilterTheory.Interval interval) {

  private static final double Z95 = 1.959963984540054;

  /**
   * Measures how well the scores of own matches separate from those of foreign ones. Throws {@link
   * IllegalArgumentException} if one of both is empty.
   */
  static Auc of(double[] own, double[] foreign) {
    double value = Distinguisher.of(own, foreign, 0).auc();
    return new Auc(value, interval(value, Math.min(own.length, foreign.length)));
  }

  private static FilterTheory.Interval interval(double share, int picks) {
    double z2 = Z95 * Z95 / picks;
    double centre = share + z2 / 2;
    double half = Math.sqrt(z2 * (share * (1 - share) + z2 / 4));
    return new FilterTheory.Interval(
        share == 0 ? 0 : Math.max(0, (centre - half) / (1 + z2)),
        share == 1 ? 1 : Math.min(1, (centre + half) / (1 + z2)));
  }

  double low() {
    return interval.low();
  }

  double high() {
    return interval.high();
  }
}
