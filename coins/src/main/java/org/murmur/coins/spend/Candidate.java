package org.murmur.coins.spend;

/**
 * Something to choose: a coin, or coins that are spent together.
 *
 * @param number the caller's name for it
 * @param value what it adds to a payment in satoshi, after the fee for spending it; more than 0
 * @param weight weight units of its inputs
 * @param waste what it costs to spend it now and not later, in satoshi; negative if now is cheaper
 */
record Candidate(int number, long value, int weight, long waste) {

  /** Checks the range. */
  public Candidate {
    if (value <= 0 || weight <= 0) {
      throw new IllegalArgumentException(
          "candidate of " + value + " sat and weight " + weight + ", expected both above 0");
    }
  }

  /** Whether a search that omitted the other one need not try this one in its place. */
  boolean isTwinOf(Candidate other) {
    return value == other.value && weight == other.weight && waste == other.waste;
  }
}
