package org.murmur.p2p.chain;

import org.murmur.bip37.bytes.Hash256;

/**
 * The block that a chain of headers begins behind: genesis, or one that is known beforehand.
 *
 * <p>What the rules need of it is here, so that every header above it can be checked in full but
 * for one thing: the median of eleven times, which for the first ten headers reaches below it. The
 * rest of its header is not known, nor is anything before it.
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
   * @throws IllegalArgumentException if no period begins at that height, or the target is none
   */
  public ChainBase {
    if (height < 0 || height % ConsensusRules.PERIOD != 0) {
      throw new IllegalArgumentException(
          "base at height " + height + ", expected a multiple of " + ConsensusRules.PERIOD);
    }
    Target.ofBits(bits);
  }

  /**
   * Returns the block that a network's chain begins with.
   *
   * @param network which network
   * @return its genesis block
   */
  public static ChainBase ofGenesis(Network network) {
    BlockHeader genesis = BlockHeader.of(network.genesisHeader());
    return new ChainBase(
        0,
        genesis.hash(),
        genesis.previous(),
        genesis.time(),
        genesis.bits(),
        Target.ofBits(genesis.bits()).work());
  }

  /** The part of it that peers are checked against. */
  Checkpoints.Checkpoint checkpoint() {
    return new Checkpoints.Checkpoint(height, hash);
  }

  /**
   * Returns whether it is the chain's very first block.
   *
   * @return false if there are blocks below that are not looked at
   */
  public boolean isGenesis() {
    return height == 0;
  }
}
