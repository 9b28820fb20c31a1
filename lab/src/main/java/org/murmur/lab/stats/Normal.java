package org.murmur.lab.stats;

import org.apache.commons.numbers.gamma.InverseErf;

/** The normal distribution, for intervals of any width. */
public final class Normal {

  /** Half the width of a two-sided interval of 99%. */
  public static final double Z99 = z(0.99);

  private Normal() {}

  /**
   * Returns half the width of a two-sided interval in standard deviations, for a confidence above 0
   * and below 1: 1.96 for 0.95, 2.576 for 0.99.
   */
  public static double z(double confidence) {
    return Math.sqrt(2) * InverseErf.value(confidence);
  }

  /** Returns half the width of at least 1 intervals that all hold together. */
  public static double z(double confidence, int intervals) {
    return z(Binomial.each(confidence, intervals));
  }
}
