package org.murmur.p2p.internal.headers;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.chain.HeaderChain;

/** The known facts about one peer's chain. */
public final class Tip {

  /**
   * How long a peer's best chain may be another branch before it is disconnected: a reorganisation
   * takes some seconds to reach all nodes, and several may follow each other.
   */
  public static final Duration BRANCH_PATIENCE = Duration.ofSeconds(10);

  /** How often it is asked for headers in that time. */
  static final Duration BRANCH_PAUSE = Duration.ofSeconds(2);

  /** The height it claimed, or that its headers reach. */
  int height;

  @Nullable Instant behindSince;
  // The header that it was asked for.
  @Nullable Hash256 asked;
  // The last header that it sent of its chain, or null if it has none beyond ours.
  @Nullable Hash256 lastHeader;
  // Whether that was on a side branch when it came.
  boolean lastIsOnBranch;
  boolean sentHeaders;
  // Since when its best chain has been another than ours, and when we last asked again.
  @Nullable Instant onOtherChainSince;
  Instant askedAgainAt = Instant.EPOCH;
  // Whether the time for it is over: the next answer decides.
  boolean lastChance;

  /** The height it claimed, or that its headers reach. */
  public int height() {
    return height;
  }

  /**
   * Whether its best chain is another than ours. It may change to ours; until then no block is
   * requested from it.
   */
  public boolean isOnOtherChain() {
    return onOtherChainSince != null;
  }

  /** Whether the last header that it sent is the end of a branch with as much work as ours. */
  public boolean isOnRivalBranch(HeaderChain chain) {
    Hash256 last = lastHeader;
    return last != null
        && chain.beside(last).filter(side -> !chain.work().isMoreThan(side.work())).isPresent();
  }

  @Nullable Instant askAgainAt() {
    if (onOtherChainSince == null) {
      return null;
    }
    Instant end = onOtherChainSince.plus(BRANCH_PATIENCE);
    Instant next = askedAgainAt.plus(BRANCH_PAUSE);
    return next.isBefore(end) ? next : end;
  }

  /** Whether its best chain may be another than ours: it seems shorter, or forks off. */
  public boolean isDoubtful(int ourHeight) {
    return sentHeaders ? lastIsOnBranch : height < ourHeight;
  }
}
