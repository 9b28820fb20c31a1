package org.murmur.lab.stats;

/** The normal distribution, for intervals of any width. */
public final class Normal {

  /** Beyond this the distribution function is 1 in double precision. */
  private static final double FAR = 8.3;

  /** Half the width of a two-sided interval of 99%. */
  public static final double Z99 = z(0.99);

  private Normal() {}

  /**
   * Returns half the width of a two-sided interval in standard deviations, for a confidence above 0
   * and below 1: 1.96 for 0.95, 2.576 for 0.99.
   */
  public static double z(double confidence) {
    double wanted = (1 + confidence) / 2;
    double low = 0;
    double high = FAR;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (distribution(middle) < wanted) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /** Returns half the width of at least 1 intervals that all hold together. */
  public static double z(double confidence, int intervals) {
    return z(1 - (1 - confidence) / intervals);
  }

  /** Computes the series {@code 1/2 + φ(x) (x + x³/3 + x⁵/(3·5) + …)}, for x from 0 on. */
  static double distribution(double x) {
    double term = x;
    double sum = x;
    for (int odd = 3; term > 1e-18 * sum; odd += 2) {
      term *= x * x / odd;
      sum += term;
    }
    return 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  }
}
