package org.murmur.lab;

import java.util.ArrayList;
import java.util.List;
import org.murmur.bip37.FilterTheory;

/** Measurements beside what was predicted of them: one verdict on all. For one thread. */
public final class Comparison {

  private final List<String> outside = new ArrayList<>();
  private final List<String> unsaid = new ArrayList<>();
  private int compared;

  /** Begins without any. */
  public Comparison() {}

  /**
   * Adds one.
   *
   * @param name what was measured
   * @param interval around what was measured; the intervals of all hold jointly
   * @param predicted in the same unit, above 0
   */
  public void add(String name, FilterTheory.Interval interval, double predicted) {
    compared++;
    if (!interval.holds(predicted)) {
      outside.add(name);
    } else if (ClaimVerdict.isTooWide(interval, predicted)) {
      unsaid.add(name);
    }
  }

  /**
   * Judges all that were added.
   *
   * @param claim what must hold, as a sentence
   * @param what was measured, in the plural
   * @return FAIL if one is outside of its interval, TOO FEW if no interval says anything
   */
  public ClaimVerdict verdict(String claim, String what) {
    int said = compared - unsaid.size();
    String detail =
        outside.isEmpty()
            ? said + " " + what + " inside their joint 99 % interval"
            : "outside: " + String.join(", ", outside);
    if (!unsaid.isEmpty()) {
      detail += "; too few hits to say anything of " + String.join(", ", unsaid);
    }
    return ClaimVerdict.of(claim, outside.isEmpty(), said == 0, detail);
  }
}
