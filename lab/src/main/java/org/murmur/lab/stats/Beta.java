package org.murmur.lab.stats;

import org.apache.commons.numbers.gamma.RegularizedBeta;

/** The beta distribution, behind the exact intervals of {@link Binomial} and {@link Student}. */
final class Beta {

  private static final double PRECISION = 1e-15;

  private Beta() {}

  /** Returns the value that is not exceeded with this chance. */
  static double quantile(double chance, double a, double b) {
    double low = 0;
    double high = 1;
    // Until neighbours: the quantile may be very small.
    for (double middle = 0.5; low < middle && middle < high; middle = (low + high) / 2) {
      if (RegularizedBeta.value(middle, a, b) < chance) {
        low = middle;
      } else {
        high = middle;
      }
      if (high - low < PRECISION * high) {
        break;
      }
    }
    return (low + high) / 2;
  }
}
