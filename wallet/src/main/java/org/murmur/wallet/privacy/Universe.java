package org.murmur.wallet.privacy;

import org.murmur.bip37.privacy.MatchSet;
import org.murmur.p2p.chain.Network;

/**
 * Whom the wallet hides among: the scripts that an observer can test, because the chain shows them.
 *
 * @param scripts how many (U)
 * @param source where the number is from, for people
 */
public record Universe(double scripts, String source) {

  /** Different addresses that mainnet has ever paid: a round figure of ours, not a count. */
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
   * Returns the figure that is known for a network.
   *
   * @param network which
   * @return mainnet's; for other networks it is taken, too, and {@link #source} says so
   */
  public static Universe of(Network network) {
    return new Universe(
        MAINNET,
        network.equals(Network.MAINNET)
            ? "addresses that mainnet has ever paid, our estimate, not counted"
            : "addresses that mainnet has ever paid, our estimate, not counted; "
                + network.name()
                + " has fewer, how many is not known");
  }

  /**
   * A number that somebody chose.
   *
   * @param scripts how many
   * @return the universe
   * @throws IllegalArgumentException if it is below 1 or no number
   */
  public static Universe chosen(double scripts) {
    return new Universe(scripts, "chosen");
  }

  /**
   * Returns what passes a test: the wallet's own, and others by chance.
   *
   * @param own how many of the wallet's scripts the chain shows
   * @param rate the test's false-positive rate
   * @return both
   */
  public MatchSet matches(int own, double rate) {
    // Somebody may have chosen a universe that is smaller than the wallet.
    return new MatchSet(Math.max(scripts, own), own, rate);
  }

  /** How many co-spend clusters of a size there are, as a part of those of mainnet. */
  double partOfMainnet() {
    return Math.min(1, scripts / MAINNET);
  }
}
