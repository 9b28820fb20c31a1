package org.murmur.p2p.chain;

import java.math.BigInteger;

/**
 * The consensus parameters for headers in which networks differ.
 *
 * <p>Not checked, because headers do not show it: the minimum versions of BIP-0034, BIP-0065 and
 * BIP-0066, and the signature of a signet block.
 *
 * @param proofOfWorkLimit the highest target allowed
 * @param retargeting whether the target is adjusted every 2,016 blocks; otherwise it equals the
 *     parent's
 * @param minimumDifficulty whether a block dated more than 20 minutes after its parent must have
 *     the highest target, while other blocks use the last regular target
 * @param timewarpLimit whether BIP-0094 applies: a retarget starts from the target of the period's
 *     first block instead of the last one's, and the first block of a period is dated at most 600
 *     seconds before its parent
 */
public record ConsensusRules(
    BigInteger proofOfWorkLimit,
    boolean retargeting,
    boolean minimumDifficulty,
    boolean timewarpLimit) {

  /** Blocks between retargets. */
  public static final int PERIOD = 2016;

  /** Seconds that a period should take: 14 days. */
  public static final int PERIOD_SECONDS = 14 * 24 * 60 * 60;

  /** Seconds that a block should take: 10 minutes. */
  public static final int BLOCK_SECONDS = PERIOD_SECONDS / PERIOD;

  /** A block may be dated this many seconds after now (Core's MAX_FUTURE_BLOCK_TIME, 2 hours). */
  public static final int FUTURE_SECONDS = 2 * 60 * 60;

  /** A period's first block may be dated this many seconds before its parent (BIP-0094). */
  public static final int TIMEWARP_SECONDS = 600;

  /** {@return the highest target in its compact form, nBits} */
  public int limitBits() {
    return Target.of(proofOfWorkLimit).bits();
  }
}
