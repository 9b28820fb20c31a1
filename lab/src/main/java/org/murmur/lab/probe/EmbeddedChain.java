package org.murmur.lab.probe;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.murmur.lab.Parameters;
import org.murmur.regtest.ChainBuilder;
import org.murmur.regtest.RegtestNode;
import org.murmur.regtest.chain.Chain;

/**
 * The chain of an embedded node that trials query. It is made from a seed at first use, then shared
 * by all trials, which only read it. Thread-safe.
 */
public final class EmbeddedChain {

  /** Blocks at the start with only a coinbase: no coins can be spent yet. */
  public static final int EMPTY_BLOCKS = 105;

  private final long seed;
  private final int blocks;
  private final int transactions;
  private @Nullable Chain chain;

  /** Plans a chain of so many blocks with transactions, after {@link #EMPTY_BLOCKS}. */
  public EmbeddedChain(long seed, int blocks, int transactions) {
    this.seed = seed;
    this.blocks = blocks;
    this.transactions = transactions;
  }

  /** Names {@link #EMPTY_BLOCKS}, as a constant of an experiment. */
  public static Parameters constants() {
    return Parameters.none().with("empty-blocks", EMPTY_BLOCKS);
  }

  public RegtestNode node() throws IOException {
    return RegtestNode.start(chain());
  }

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
