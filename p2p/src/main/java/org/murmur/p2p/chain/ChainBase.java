package org.murmur.p2p.chain;

import org.murmur.bip37.bytes.Hash256;

/**
 * The block before the first header of a chain: genesis, or a built-in block.
 *
 * <p>It has the data that the rules need, so that every header above it can be checked completely.
 * One exception: the median of eleven times reaches below it for the first ten headers. The rest of
 * its header, and everything before it, is unknown.
 *
 * @param height 0, or a multiple of {@link ConsensusRules#PERIOD}: the next retarget looks back to
 *     the first block of a period
 * @param hash its hash
 * @param previous the hash of the block before
 * @param time seconds since 1970
 * @param bits its target in compact form
 * @param work from genesis to it, both included
 */
public record ChainBase(
    int height, Hash256 hash, Hash256 previous, long time, int bits, ChainWork work) {

  /**
   * Checks the height.
   *
   * @param height 0, or a multiple of {@link ConsensusRules#PERIOD}
   * @param hash its hash
   * @param previous the hash of the block before
   * @param time seconds since 1970
   * @param bits its target in compact form
   * @param work from genesis to it, both included
   * @throws IllegalArgumentException if the height is no multiple of a period, or the target is
   *     invalid
   */
  public ChainBase {
    if (height < 0 || height % ConsensusRules.PERIOD != 0) {
      throw new IllegalArgumentException(
          "base at height " + height + ", expected a multiple of " + ConsensusRules.PERIOD);
    }
    Target.ofBits(bits);
  }

  /**
   * Returns the genesis block of a network as a base.
   *
   * @param network which network
   * @return its genesis block
   */
  public static ChainBase ofGenesis(ChainParams network) {
    BlockHeader genesis = BlockHeader.of(network.genesisHeader());
    return new ChainBase(
        0,
        genesis.hash(),
        genesis.previous(),
        genesis.time(),
        genesis.bits(),
        Target.ofBits(genesis.bits()).work());
  }

  /** {@return whether it is genesis; false if there are unknown blocks below} */
  public boolean isGenesis() {
    return height == 0;
  }
}
