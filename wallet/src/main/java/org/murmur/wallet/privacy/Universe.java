package org.murmur.wallet.privacy;

import org.murmur.bip37.MatchSet;
import org.murmur.p2p.chain.ChainParams;

/**
 * The scripts among which the wallet hides: an observer can test these, because they occur on the
 * chain.
 *
 * @param scripts how many (U)
 * @param source where the number is from, for people
 */
public record Universe(double scripts, String source) {

  /** Different addresses that mainnet has ever paid: our round figure, not a count. */
  private static final double MAINNET = 1.3e9;

  /**
   * Checks the number.
   *
   * @param scripts how many
   * @param source where the number is from
   * @throws IllegalArgumentException if it is below 1 or no number
   */
  public Universe {
    if (!(scripts >= 1 && scripts <= 1e15)) {
      throw new IllegalArgumentException("universe " + scripts + ", expected 1 to 1e15");
    }
  }

  /**
   * Returns the known figure for a network.
   *
   * @param network which
   * @return mainnet's; used for other networks as well, and {@link #source} says so
   */
  public static Universe of(ChainParams network) {
    return new Universe(
        MAINNET,
        network.equals(ChainParams.MAINNET)
            ? "addresses that mainnet has ever paid, our estimate, not counted"
            : "addresses that mainnet has ever paid, our estimate, not counted; "
                + network.name()
                + " has fewer, how many is not known");
  }

  /**
   * Returns a universe of a chosen size.
   *
   * @param scripts how many
   * @return the universe
   * @throws IllegalArgumentException if it is below 1 or no number
   */
  public static Universe chosen(double scripts) {
    return new Universe(scripts, "chosen");
  }

  /**
   * Returns what passes a test: the wallet's scripts, and foreign ones by chance.
   *
   * @param own how many of the wallet's scripts occur on the chain
   * @param rate the test's false-positive rate
   * @return both
   */
  public MatchSet matches(int own, double rate) {
    // A chosen universe may be smaller than the wallet.
    return new MatchSet(Math.max(scripts, own), own, rate);
  }

  /** How many co-spend clusters of a size there are, as a part of those of mainnet. */
  double partOfMainnet() {
    return Math.min(1, scripts / MAINNET);
  }
}
