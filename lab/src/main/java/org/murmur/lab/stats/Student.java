package org.murmur.lab.stats;

/** Student's t distribution, for the mean of a few values whose scatter is not known. */
public final class Student {

  private Student() {}

  /**
   * Returns half the width of a two-sided interval around the mean of at least 2 values, in
   * standard errors of the mean, for a confidence above 0 and below 1: 12.7 for 0.95 and 2 values,
   * 1.96 for very many.
   */
  public static double t(double confidence, int values) {
    double freedom = values - 1;
    double x = Beta.quantile(1 - confidence, freedom / 2, 0.5);
    return Math.sqrt(freedom * (1 - x) / x);
  }
}
