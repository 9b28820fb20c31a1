package org.murmur.p2p.chain;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * Checks the headers of one branch one after another against the rules of a network.
 *
 * <p>What the next header needs from its ancestors (target, times, the last target that was no
 * exception) is carried along, so that a header costs a handful of steps and no garbage; only a
 * retarget looks far back.
 */
final class HeaderRules {

  private final ConsensusRules rules;
  private final Target limit;
  private final MedianTime median = new MedianTime();

  private Ancestors branch;
  private int height;
  private int bits;
  private long time;

  /** The last target that no minimum difficulty exception made, or that of the period's first. */
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

  /** Stands behind a header: the next one checked is its child. */
  void begin(Ancestors ancestors, int tip) {
    branch = ancestors;
    height = tip;
    bits = ancestors.bits(tip);
    time = ancestors.time(tip);
    median.begin(ancestors, tip);
    earnedBits = bits;
    if (rules.minimumDifficulty()) {
      int h = tip;
      while (h % ConsensusRules.PERIOD != 0 && ancestors.bits(h) == limit.bits()) {
        h--;
      }
      earnedBits = ancestors.bits(h);
      lookedBack += tip - h;
    }
    lookedBack += MedianTime.SPAN;
  }

  /** Headers looked back at so far, retargets left out. */
  long lookedBack() {
    return lookedBack;
  }

  /**
   * Checks the next header and, if it is valid, stands behind it. The branch need not show it yet,
   * but must when the next one is checked.
   *
   * @param header holds the header
   * @param offset index of its first byte
   * @param hash holds its hash in internal order
   * @param hashOffset index of the hash's first byte
   * @param now seconds since 1970
   * @return the rule it breaks, or null if it is valid
   */
  Connect.@Nullable Reason check(byte[] header, int offset, byte[] hash, int hashOffset, long now) {
    long itsTime = Integer.toUnsignedLong(LittleEndian.int32(header, offset + BlockHeader.TIME));
    int itsBits = LittleEndian.int32(header, offset + BlockHeader.BITS);
    if (itsBits != expectedBits(itsTime)) {
      return Connect.Reason.WRONG_BITS;
    }
    if (!decoded(itsBits).isReachedBy(hash, hashOffset)) {
      return Connect.Reason.BAD_PROOF_OF_WORK;
    }
    if (itsTime <= median.median()) {
      return Connect.Reason.TIME_TOO_OLD;
    }
    boolean beginsPeriod = (height + 1) % ConsensusRules.PERIOD == 0;
    if (beginsPeriod && rules.timewarpLimit() && itsTime < time - ConsensusRules.TIMEWARP_SECONDS) {
      return Connect.Reason.TIMEWARP;
    }
    if (itsTime > now + ConsensusRules.FUTURE_SECONDS) {
      return Connect.Reason.TIME_TOO_NEW;
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

  /** The work that the header just found valid stands for. */
  ChainWork work() {
    return decoded(bits).work();
  }

  /** The target that the next header must have, given its time. */
  int expectedBits(long itsTime) {
    if (rules.retargeting() && (height + 1) % ConsensusRules.PERIOD == 0) {
      return retargetedBits();
    }
    if (!rules.minimumDifficulty()) {
      return bits;
    }
    // BIP-0094 and Core's fPowAllowMinDifficultyBlocks: twenty minutes without a block.
    return itsTime > time + 2 * ConsensusRules.BLOCK_SECONDS ? limit.bits() : earnedBits;
  }

  /**
   * The target of a new period. The time is taken from the first header of the old period to its
   * last, so over 2,015 intervals, not 2,016: an old slip of the first implementation that has
   * become the rule.
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
