package org.murmur.p2p.internal.chain;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainWork;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.chain.HeaderFault;
import org.murmur.p2p.chain.Target;

/**
 * Checks the headers of one branch in order against the rules of a network.
 *
 * <p>It carries the state that the next header needs (target, times, the last regular target), so
 * that a header costs a few steps and no allocation. Only a retarget looks far back.
 */
final class HeaderRules {

  private final ConsensusRules rules;
  private final Target limit;
  private final MedianTime median = new MedianTime();

  private Ancestors branch;
  private int height;
  private int bits;
  private long time;

  /**
   * The last target without a minimum difficulty exception, or the target of the period's first
   * header.
   */
  private int earnedBits;

  /** The last target other than the limit, decoded. */
  private Target target;

  private long lookedBack;

  HeaderRules(ConsensusRules rules, Ancestors branch) {
    this.rules = rules;
    this.limit = Target.ofBits(rules.limitBits());
    this.target = limit;
    this.branch = branch;
  }

  /** Starts after a header: the next header checked is its child. */
  void begin(Ancestors ancestors, int tip) {
    branch = ancestors;
    height = tip;
    bits = ancestors.bits(tip);
    boolean known = tip > ancestors.lowest() || tip == 0;
    time = known ? ancestors.time(tip) : 0; // The earliest: refuses nothing.
    median.begin(ancestors, tip);
    earnedBits = bits;
    if (rules.minimumDifficulty()) {
      int h = tip;
      while (h > ancestors.lowest()
          && h % ConsensusRules.PERIOD != 0
          && ancestors.bits(h) == limit.bits()) {
        h--;
      }
      earnedBits = ancestors.bits(h);
      lookedBack += tip - h;
    }
    lookedBack += MedianTime.SPAN;
  }

  /** Number of look-backs so far, without retargets. */
  long lookedBack() {
    return lookedBack;
  }

  /**
   * Checks the next header, at a time in seconds since 1970, and advances if it is valid; otherwise
   * returns the rule it breaks. The branch must contain it before the next check.
   */
  @Nullable HeaderFault check(byte[] header, int offset, byte[] hash, int hashOffset, long now) {
    long itsTime = Integer.toUnsignedLong(LittleEndian.int32(header, offset + BlockHeader.TIME));
    int itsBits = LittleEndian.int32(header, offset + BlockHeader.BITS);
    if (itsBits != expectedBits(itsTime)) {
      return HeaderFault.WRONG_BITS;
    }
    if (!decoded(itsBits).isReachedBy(hash, hashOffset)) {
      return HeaderFault.BAD_PROOF_OF_WORK;
    }
    if (itsTime <= median.median()) {
      return HeaderFault.TIME_TOO_OLD;
    }
    boolean beginsPeriod = (height + 1) % ConsensusRules.PERIOD == 0;
    if (beginsPeriod && rules.timewarpLimit() && itsTime < time - ConsensusRules.TIMEWARP_SECONDS) {
      return HeaderFault.TIMEWARP;
    }
    if (itsTime > now + ConsensusRules.FUTURE_SECONDS) {
      return HeaderFault.TIME_TOO_NEW;
    }
    height++;
    bits = itsBits;
    time = itsTime;
    if (beginsPeriod || itsBits != limit.bits()) {
      earnedBits = itsBits;
    }
    median.add(itsTime);
    return null;
  }

  /** The work of the last valid header. */
  ChainWork work() {
    return decoded(bits).work();
  }

  /** The required target of the next header, which depends on its time. */
  int expectedBits(long itsTime) {
    if (rules.retargeting() && (height + 1) % ConsensusRules.PERIOD == 0) {
      return height > branch.lowest() ? retargetedBits() : bits; // A base has the result.
    }
    if (!rules.minimumDifficulty()) {
      return bits;
    }
    // BIP-0094 and Core's fPowAllowMinDifficultyBlocks: twenty minutes without a block.
    return itsTime > time + 2 * ConsensusRules.BLOCK_SECONDS ? limit.bits() : earnedBits;
  }

  /**
   * The target of a new period. The time span is from the first to the last header of the old
   * period: 2,015 intervals, not 2,016. This off-by-one error of the first implementation is a
   * consensus rule.
   */
  private int retargetedBits() {
    int first = height + 1 - ConsensusRules.PERIOD;
    long taken = time - branch.time(first);
    taken = Math.max(taken, ConsensusRules.PERIOD_SECONDS / 4);
    taken = Math.min(taken, ConsensusRules.PERIOD_SECONDS * 4L);
    int base = rules.timewarpLimit() ? branch.bits(first) : bits;
    BigInteger next =
        decoded(base)
            .value()
            .multiply(BigInteger.valueOf(taken))
            .divide(BigInteger.valueOf(ConsensusRules.PERIOD_SECONDS));
    return Target.of(next.min(rules.proofOfWorkLimit())).bits();
  }

  private Target decoded(int compact) {
    if (compact == limit.bits()) {
      return limit;
    }
    if (compact != target.bits()) {
      target = Target.ofBits(compact);
    }
    return target;
  }
}
