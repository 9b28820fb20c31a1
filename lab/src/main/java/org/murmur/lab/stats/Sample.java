package org.murmur.lab.stats;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterTheory;

/** One value of each member of a sample, for instance of each wallet. */
public record Sample(List<Double> values) {

  public Sample {
    values = List.copyOf(values);
  }

  /** Returns the mean; null of no values. */
  public @Nullable Double mean() {
    return values.isEmpty() ? null : (Double) (sum() / values.size());
  }

  private double sum() {
    return Arrays.stream(toArray()).sum();
  }

  private double[] toArray() {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /**
   * Returns the interval of the mean over all members that the sample stands for (Student's t).
   * Null if there are fewer than two values, or if all are equal: such a sample does not show how
   * far members differ.
   */
  public FilterTheory.@Nullable Interval interval(double confidence, double least, double most) {
    int count = values.size();
    double mean = count == 0 ? 0 : sum() / count;
    double squares = Arrays.stream(toArray()).map(one -> (one - mean) * (one - mean)).sum();
    if (count < 2 || squares == 0) {
      return null;
    }
    double half = Student.t(confidence, count) * Math.sqrt(squares / (count - 1) / count);
    return new FilterTheory.Interval(Math.max(least, mean - half), Math.min(most, mean + half));
  }

  /**
   * Returns an interval of the mean of shares, which has a width even if all are equal: that of as
   * many trials as there are members. No other shares from 0 to 1 of the same mean scatter more.
   */
  public FilterTheory.Interval ofShares(double confidence) {
    return Binomial.share(sum(), values.size(), confidence);
  }
}
