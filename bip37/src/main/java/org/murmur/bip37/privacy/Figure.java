package org.murmur.bip37.privacy;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterTheory;

/**
 * A number and how it was come by.
 *
 * @param value the number
 * @param method how it was come by
 * @param interval the 95% interval of a measurement; null if it was not measured
 */
public record Figure(double value, Method method, FilterTheory.@Nullable Interval interval) {

  /** How a number was come by. */
  public enum Method {
    /** By a formula that holds. */
    EXACT,
    /** By a formula that is nearly true. */
    APPROXIMATE,
    /** By trying. */
    MEASURED
  }

  /**
   * A number from a formula that holds.
   *
   * @param value the number
   * @return the figure
   */
  public static Figure exact(double value) {
    return new Figure(value, Method.EXACT, null);
  }

  /**
   * A number from a formula that is nearly true.
   *
   * @param value the number
   * @return the figure
   */
  public static Figure approximate(double value) {
    return new Figure(value, Method.APPROXIMATE, null);
  }

  /**
   * A measured rate with its 95% Wilson interval (M3).
   *
   * @param hits how often it happened
   * @param trials how often it was tried, above 0
   * @return the figure
   */
  public static Figure measured(long hits, long trials) {
    return new Figure(hits / (double) trials, Method.MEASURED, FilterTheory.wilson95(hits, trials));
  }
}
