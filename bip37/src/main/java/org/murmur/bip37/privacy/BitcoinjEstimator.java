package org.murmur.bip37.privacy;

/**
 * How bitcoinj guesses its filter's false-positive rate from what it is sent, and when it sends the
 * filter again because of it (M17): a model of {@code AbstractBlockChain} as it reads. It does not
 * predict what bitcoinj 0.17.1 does: captured on the wire, it never sent its filter again after a
 * false match (ADR 0021). For one thread.
 */
public final class BitcoinjEstimator {

  private static final double ALPHA = 1e-4;
  private static final double BETA = 1e-2;

  /** So many times the rate asked for, and the filter is sent again. */
  private static final double REFRESH = 10;

  private double rate;
  private double trend;
  private double previous;

  /**
   * Takes note of false positives, which come before {@link #block}.
   *
   * @param count how many transactions of a block matched and were not the wallet's
   */
  public void falsePositives(int count) {
    rate += ALPHA * count;
  }

  /**
   * Takes note of a block.
   *
   * @param transactions how many it has
   */
  public void block(int transactions) {
    double forgotten = Math.pow(1 - ALPHA, transactions);
    rate *= forgotten;
    trend = BETA * transactions * (rate - previous) + Math.pow(1 - BETA, transactions) * trend;
    rate += forgotten * trend;
    previous = rate;
  }

  /**
   * Returns the estimate.
   *
   * @return a rate for transactions
   */
  public double rate() {
    return rate;
  }

  /**
   * Returns whether the filter would be sent again now.
   *
   * @param asked the false-positive rate asked for
   * @return true above ten times that rate
   */
  public boolean refreshes(double asked) {
    return rate > REFRESH * asked;
  }
}
