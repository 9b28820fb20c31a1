package org.murmur.bip37.internal.privacy;

/**
 * How bitcoinj estimates its filter's false-positive rate from received transactions, and when it
 * resends the filter (M17): a model of the source of {@code AbstractBlockChain}. It does not
 * predict bitcoinj 0.17.1: captured on the wire, that never resent its filter after a false match
 * (ADR 0021). Not thread safe.
 */
public final class BitcoinjEstimator {

  private static final double ALPHA = 1e-4;
  private static final double BETA = 1e-2;

  /** The filter is sent again when the rate is this many times the requested one. */
  private static final double REFRESH = 10;

  private double rate;
  private double trend;
  private double previous;

  /** Takes note of false positives, which come before {@link #block}. */
  public void falsePositives(int count) {
    rate += ALPHA * count;
  }

  /** Takes note of a block. */
  public void block(int transactions) {
    double forgotten = Math.pow(1 - ALPHA, transactions);
    rate *= forgotten;
    trend = BETA * transactions * (rate - previous) + Math.pow(1 - BETA, transactions) * trend;
    rate += forgotten * trend;
    previous = rate;
  }

  /** {@return the estimated rate for transactions} */
  public double rate() {
    return rate;
  }

  /**
   * Returns whether the filter would be sent again now.
   *
   * @return true above ten times that rate
   */
  public boolean refreshes(double asked) {
    return rate > REFRESH * asked;
  }
}
