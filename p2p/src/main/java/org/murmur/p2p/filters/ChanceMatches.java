package org.murmur.p2p.filters;

/**
 * A test of the hypothesis that what matches a filter by chance does so no more often than the
 * filter's actual rate explains.
 *
 * <p>It may be looked at after every match, for ever, and still accuses an honest peer with a
 * probability of at most {@value #FALSE_ALARM}:
 *
 * <pre>
 *   M = R^found · e^(−(R − 1) · expected)
 * </pre>
 *
 * is a supermartingale with mean at most 1 when each new element matches with at most the
 * probability counted in {@code expected}, since E[R^x] = 1 + p(R − 1) ≤ e^(p(R − 1)). By Ville's
 * inequality it ever reaches 1 / {@value #FALSE_ALARM} with at most that probability. Two things
 * make that hold for real chains: {@code expected} is counted from the most elements a block can
 * have, at the rate of the copy as it is by then; and an element that recurs (a busy address)
 * counts once, which is the caller's part.
 */
final class ChanceMatches {

  /** The probability of accusing an honest peer in the life of one filter, at most. */
  static final double FALSE_ALARM = 1e-9;

  /** How many times the rate is taken for a lie in the test's alternative. */
  private static final double RATIO = 16;

  private final double limit;
  private double expected;
  private long found;

  ChanceMatches() {
    this(FALSE_ALARM);
  }

  ChanceMatches(double falseAlarm) {
    this.limit = -Math.log(falseAlarm);
  }

  /** The server looked, or may have looked, so many distinct elements up at this rate. */
  void tested(double elements, double rate) {
    expected += elements * rate;
  }

  /** One more distinct element matched by chance; returns whether that is too much. */
  boolean found() {
    found++;
    return found * Math.log(RATIO) - (RATIO - 1) * expected >= limit;
  }
}
