package org.murmur.lab;

import org.murmur.bip37.FilterTheory;

/**
 * Something that must hold, and whether it does.
 *
 * @param claim what must hold, as a sentence
 * @param outcome whether it does, or that too little was measured to say
 * @param detail the numbers behind it
 */
public record ClaimVerdict(String claim, Outcome outcome, String detail) {

  /** What measurements say of a claim. */
  public enum Outcome {
    /** It holds. */
    PASS("PASS"),
    /** It does not. */
    FAIL("FAIL"),
    /** The measurement would have agreed with almost anything: more trials are wanted. */
    TOO_FEW("TOO FEW");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }

    /**
     * Returns what people read.
     *
     * @return capital letters
     */
    public String label() {
      return label;
    }
  }

  /**
   * A verdict on a claim that was measured well enough.
   *
   * @param claim what must hold, as a sentence
   * @param holds whether it does
   * @param detail the numbers behind it
   */
  public ClaimVerdict(String claim, boolean holds, String detail) {
    this(claim, holds ? Outcome.PASS : Outcome.FAIL, detail);
  }

  /**
   * A verdict on a claim that measurements may be too few for. What does not hold fails, however
   * few they are.
   *
   * @param claim what must hold, as a sentence
   * @param holds whether it does
   * @param saysNothing whether the measurements would have agreed with almost anything
   * @param detail the numbers behind it
   * @return the verdict
   */
  public static ClaimVerdict of(String claim, boolean holds, boolean saysNothing, String detail) {
    Outcome passed = saysNothing ? Outcome.TOO_FEW : Outcome.PASS;
    return new ClaimVerdict(claim, holds ? passed : Outcome.FAIL, detail);
  }

  /**
   * Returns whether an interval says nothing of a prediction: it holds half and double of it.
   *
   * @param interval in any unit
   * @param predicted in the same unit, above 0
   * @return true if it does
   */
  public static boolean isTooWide(FilterTheory.Interval interval, double predicted) {
    return interval.holds(predicted / 2) && interval.holds(predicted * 2);
  }

  /**
   * Returns whether an interval says nothing of an adversary: it holds chance, and half the way
   * from chance to certainty as well.
   *
   * @param interval around how often he is right, at most 1
   * @param chance how often a guess is
   * @return true if it does
   */
  public static boolean mayHideSkill(FilterTheory.Interval interval, double chance) {
    return interval.holds(chance) && interval.holds((1 + chance) / 2);
  }

  /**
   * Returns whether the claim was seen to hold.
   *
   * @return false also if too little was measured
   */
  public boolean holds() {
    return outcome == Outcome.PASS;
  }

  /**
   * Returns whether the claim was seen not to hold.
   *
   * @return false also if too little was measured
   */
  public boolean failed() {
    return outcome == Outcome.FAIL;
  }
}
