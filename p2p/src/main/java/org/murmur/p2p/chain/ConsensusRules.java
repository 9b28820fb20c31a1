package org.murmur.p2p.chain;

import java.math.BigInteger;

/**
 * What the headers of a network must obey, as far as networks differ.
 *
 * <p>Not here, because headers alone cannot show it or the proof of work already stands for it: the
 * minimum versions that the soft forks of BIP-0034, BIP-0065 and BIP-0066 demand, and the signature
 * of a signet block.
 *
 * @param proofOfWorkLimit the highest target allowed
 * @param retargeting whether the target follows the time that each period of 2,016 blocks took;
 *     otherwise it stays as the parent has it
 * @param minimumDifficulty whether a block dated more than 20 minutes after its parent must have
 *     the highest target, and others go on with the last target that came otherwise
 * @param timewarpLimit whether the rules of BIP-0094 hold: a retarget starts from the target of the
 *     period's first block instead of the last one's, and the first block of a period is dated at
 *     most 600 seconds before its parent
 */
public record ConsensusRules(
    BigInteger proofOfWorkLimit,
    boolean retargeting,
    boolean minimumDifficulty,
    boolean timewarpLimit) {

  /** Blocks from one retarget to the next. */
  public static final int PERIOD = 2016;

  /** Seconds that a period should take: 14 days. */
  public static final int PERIOD_SECONDS = 14 * 24 * 60 * 60;

  /** Seconds that a block should take: 10 minutes. */
  public static final int BLOCK_SECONDS = PERIOD_SECONDS / PERIOD;

  /** A block may be dated this many seconds after now (Core's MAX_FUTURE_BLOCK_TIME, 2 hours). */
  public static final int FUTURE_SECONDS = 2 * 60 * 60;

  /** A period's first block may be dated this many seconds before its parent (BIP-0094). */
  public static final int TIMEWARP_SECONDS = 600;

  /**
   * Returns the highest target in its compact form.
   *
   * @return nBits
   */
  public int limitBits() {
    return Target.of(proofOfWorkLimit).bits();
  }
}
