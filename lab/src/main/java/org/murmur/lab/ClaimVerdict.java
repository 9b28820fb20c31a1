package org.murmur.lab;

import org.murmur.bip37.FilterTheory;

/** A claim and its verdict. */
public record ClaimVerdict(String claim, Outcome outcome, String detail) {

  /** The result of testing a claim. */
  public enum Outcome {
    PASS("PASS"),
    FAIL("FAIL"),
    /** The data, or more than half of them, fit almost any prediction: more are needed. */
    TOO_FEW("TOO FEW");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /** Makes a verdict on a claim with enough measurements. */
  public ClaimVerdict(String claim, boolean holds, String detail) {
    this(claim, holds ? Outcome.PASS : Outcome.FAIL, detail);
  }

  /**
   * Makes a verdict on a claim whose measurements may be too few: they then fit almost any
   * prediction. A claim that does not hold fails, however few there are.
   */
  public static ClaimVerdict of(String claim, boolean holds, boolean saysNothing, String detail) {
    Outcome passed = saysNothing ? Outcome.TOO_FEW : Outcome.PASS;
    return new ClaimVerdict(claim, holds ? passed : Outcome.FAIL, detail);
  }

  /**
   * Returns whether an interval is too wide to test a prediction above 0 in the same unit: it
   * contains both half and double of it.
   */
  public static boolean isTooWide(FilterTheory.Interval interval, double predicted) {
    return interval.holds(predicted / 2) && interval.holds(predicted * 2);
  }

  /**
   * Returns whether more than half of several measurements say nothing, because their intervals are
   * too wide, or there are none: a claim about all of them is then not decided.
   */
  public static boolean isMostlyUnsaid(int unsaid, int all) {
    return 2 * unsaid > all || all == 0;
  }

  /**
   * Returns about how many tested pairs of a filter and an element make an interval narrow enough,
   * as {@link #isTooWide} judges, for a predicted rate above 0: with 2 z² hits, it ends near half
   * and double the rate.
   */
  public static long pairsNeeded(double predicted, double z) {
    return (long) Math.ceil(2 * z * z / predicted);
  }

  /**
   * Returns whether the interval around an adversary's success rate, at most 1, is too wide to test
   * its skill: it contains chance, and also the midpoint between chance and certainty.
   */
  public static boolean mayHideSkill(FilterTheory.Interval interval, double chance) {
    return interval.holds(chance) && interval.holds((1 + chance) / 2);
  }

  /** Returns whether the claim holds; false also if there were too few measurements. */
  public boolean holds() {
    return outcome == Outcome.PASS;
  }

  /** Returns whether the claim fails; false also if there were too few measurements. */
  public boolean failed() {
    return outcome == Outcome.FAIL;
  }
}
