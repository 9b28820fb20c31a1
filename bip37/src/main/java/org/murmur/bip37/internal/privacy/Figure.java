package org.murmur.bip37.internal.privacy;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterTheory;

/**
 * A number and its method.
 *
 * @param interval the 95% interval of a measurement; null if it was not measured
 */
public record Figure(double value, Method method, FilterTheory.@Nullable Interval interval) {

  /** How a number was obtained. */
  public enum Method {
    /** By an exact formula. */
    EXACT,
    /** By an approximation. */
    APPROXIMATE,
    /** By measurement. */
    MEASURED
  }

  /** A number from an exact formula. */
  public static Figure exact(double value) {
    return new Figure(value, Method.EXACT, null);
  }

  /** A number from an approximation. */
  public static Figure approximate(double value) {
    return new Figure(value, Method.APPROXIMATE, null);
  }

  /** A measured rate with its 95% Wilson interval (M3). */
  public static Figure measured(long hits, long trials) {
    return new Figure(hits / (double) trials, Method.MEASURED, FilterTheory.wilson95(hits, trials));
  }
}
