package org.murmur.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;

/** The median of some measurements, which one outlier does not change. */
final class Median {

  private Median() {}

  static double of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  static double of(List<? extends JsonNode> runs, String field) {
    return of(runs.stream().mapToDouble(run -> run.path(field).asDouble()).toArray());
  }

  /** The median of the ratios pair by pair, which is least sensitive to drift of the machine. */
  static double ofRatios(
      List<? extends JsonNode> runs, List<? extends JsonNode> base, String field) {
    double[] ratios = new double[Math.min(runs.size(), base.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = runs.get(i).path(field).asDouble() / base.get(i).path(field).asDouble();
    }
    return of(ratios);
  }
}
