package org.murmur.lab.privacy.chain;

import java.util.List;

/**
 * The parameters of a synthetic chain. The same plan always gives the same chain.
 *
 * @param users users who pay each other, including the wallets under test
 * @param transactionsPerBlock the mean number of transactions per block, Poisson distributed
 * @param wallets the wallets under test, each as its number of used scripts at the end
 * @param universe the number of scripts an adversary can test in all: those of the chain, and
 *     enough scripts from before it
 */
public record ChainPlan(
    long seed,
    int users,
    int blocks,
    int transactionsPerBlock,
    List<Integer> wallets,
    int universe) {

  public static final List<Integer> WALLETS = List.of(1, 10, 50, 200, 1000);

  public ChainPlan {
    wallets = List.copyOf(wallets);
    require("users", users, wallets.size() + 2);
    require("blocks", blocks, 1);
    require("transactions per block", transactionsPerBlock, 1);
    require("universe", universe, 1);
    for (int wallet : wallets) {
      require("scripts of a wallet", wallet, 1);
    }
  }

  private static void require(String name, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " " + value + ", expected at least " + least);
    }
  }

  /**
   * Returns two weeks of a quiet chain: 20,000 users, 2,016 blocks of 250 transactions, two million
   * scripts to test.
   */
  public static ChainPlan standard(long seed) {
    return new ChainPlan(seed, 20_000, 2_016, 250, WALLETS, 2_000_000);
  }

  /**
   * Returns two weeks of a busy chain: 2,500 transactions a block, 33 million scripts to test, as
   * many as Gervais et al. counted in 2014.
   */
  public static ChainPlan busy(long seed) {
    return new ChainPlan(seed, 20_000, 2_016, 2_500, WALLETS, 33_000_000);
  }

  /** Returns a small plan for tests and the short report. */
  public static ChainPlan small(long seed) {
    return new ChainPlan(seed, 2_000, 288, 60, List.of(1, 10, 50), 200_000);
  }
}
