package org.murmur.p2p.chain;

import org.murmur.bip37.bytes.Hash256;

/**
 * The block before the first header of a chain: genesis, or a built-in block, the last one of a
 * difficulty period.
 *
 * <p>It has the data that the rules need, so that every header above it can be checked completely.
 * Two exceptions look at times below: the median of eleven times for the first eleven headers, and
 * the limit of BIP-0094 for the first one. The rest of its header, and everything before it, is
 * unknown.
 *
 * @param height 0, or one less than a multiple of {@link ConsensusRules#PERIOD}: each retarget
 *     above looks back to a header that the chain has
 * @param hash its hash
 * @param time seconds since 1970. Of genesis its own; otherwise about that of the next block, which
 *     no rule reads
 * @param bits the required target of the next block in compact form
 * @param work from genesis to it, both included
 */
public record ChainBase(int height, Hash256 hash, long time, int bits, ChainWork work) {

  /**
   * Checks the height.
   *
   * @param height 0, or one less than a multiple of {@link ConsensusRules#PERIOD}
   * @param hash its hash
   * @param time seconds since 1970
   * @param bits the required target of the next block in compact form
   * @param work from genesis to it, both included
   * @throws IllegalArgumentException if the height ends no period, or the target is invalid
   */
  public ChainBase {
    if (height != 0 && (height < 0 || (height + 1) % ConsensusRules.PERIOD != 0)) {
      throw new IllegalArgumentException(
          "base at height "
              + height
              + ", expected one less than a multiple of "
              + ConsensusRules.PERIOD);
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
        0, genesis.hash(), genesis.time(), genesis.bits(), Target.ofBits(genesis.bits()).work());
  }

  /** {@return whether it is genesis; false if there are unknown blocks below} */
  public boolean isGenesis() {
    return height == 0;
  }
}
