package org.murmur.lab;

/**
 * Something that must hold, and whether it does.
 *
 * @param claim what must hold, as a sentence
 * @param outcome whether it does, or that too little was measured to say
 * @param detail the numbers behind it
 */
public record Verdict(String claim, Outcome outcome, String detail) {

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
  public Verdict(String claim, boolean holds, String detail) {
    this(claim, holds ? Outcome.PASS : Outcome.FAIL, detail);
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
