package org.murmur.lab.fp;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.FilterTheory;
import org.murmur.lab.ClaimVerdict;

/** Compares measurements with predictions and gives one verdict on all. For one thread. */
final class Comparison {

  private final List<String> outside = new ArrayList<>();
  private final List<String> unsaid = new ArrayList<>();
  private int compared;

  /**
   * Adds the interval around a measurement and a prediction above 0 in the same unit. The intervals
   * of all measurements hold jointly.
   */
  void add(String name, FilterTheory.Interval interval, double predicted) {
    compared++;
    if (!interval.holds(predicted)) {
      outside.add(name);
    } else if (ClaimVerdict.isTooWide(interval, predicted)) {
      unsaid.add(name);
    }
  }

  /**
   * Judges all measurements: FAIL if a prediction is outside its interval, TOO FEW if more than
   * half of the intervals are too wide.
   */
  ClaimVerdict verdict(String claim, String what) {
    int said = compared - unsaid.size();
    boolean tooFew = ClaimVerdict.isMostlyUnsaid(unsaid.size(), compared);
    String detail =
        outside.isEmpty()
            ? said + " of " + compared + " " + what + " inside their joint 99 % interval"
            : "outside: " + String.join(", ", outside);
    if (!unsaid.isEmpty()) {
      detail += "; too few hits to say anything of " + String.join(", ", unsaid);
    }
    return ClaimVerdict.of(claim, outside.isEmpty(), tooFew, detail);
  }
}
