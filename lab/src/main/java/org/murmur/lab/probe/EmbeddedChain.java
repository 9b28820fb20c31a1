package org.murmur.lab.probe;

import org.jspecify.annotations.Nullable;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.chain.Chain;

/**
 * The chain of an embedded node that is to be asked: made from a seed when it is first needed, then
 * shared by all trials, which only read it. Thread-safe.
 */
public final class EmbeddedChain {

  /**
   * Blocks at the beginning in which there is nothing but a coinbase: no coins can be spent yet.
   */
  public static final int EMPTY_BLOCKS = 105;

  private final long seed;
  private final int blocks;
  private final int transactions;
  private @Nullable Chain chain;

  /**
   * Plans one.
   *
   * @param seed everything follows from it
   * @param blocks how many with transactions it is to have, beyond {@link #EMPTY_BLOCKS}
   * @param transactions in each of them
   */
  public EmbeddedChain(long seed, int blocks, int transactions) {
    this.seed = seed;
    this.blocks = blocks;
    this.transactions = transactions;
  }

  /**
   * Returns the chain.
   *
   * @return always the same one
   */
  public synchronized Chain chain() {
    Chain built = chain;
    if (built == null) {
      built =
          ChainBuilder.ofSeed(seed)
              .blocks(EMPTY_BLOCKS + blocks)
              .transactionsPerBlock(transactions)
              .build()
              .chain();
      chain = built;
    }
    return built;
  }
}
