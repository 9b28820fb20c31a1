package org.murmur.p2p.internal.headers;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Up to which height one peer is known to have our chain's blocks: by the height it claimed, the
 * blocks it announced, and the headers and blocks it served. State only.
 *
 * <p>A new block reaches honest nodes one after the other, and a slow one checks it for longer. A
 * node silently skips a block that it does not have yet, just like one that it hides. So for a
 * while a peer is not blamed for skipping later blocks. It is blamed at once if so many are missing
 * that {@link TipWatch} suspects a shorter chain.
 *
 * <p>Nor is it blamed while its chain has as much work as ours and another end. It cannot serve our
 * last blocks then, and is not asked for them. Lateness is counted from the end of the race.
 */
public final class Reach {

  /** A peer that is this many blocks behind us, a day's worth, is asked at once. */
  public static final int FAR_BEHIND = 144;

  /**
   * How long we wait for a peer to announce a block itself, where a refused request is costly. Most
   * nodes get a block within some seconds of the first. A node that had it before we announced it
   * has no reason to announce it.
   */
  static final Duration GRACE = Duration.ofSeconds(5);

  private int height;
  // Since when there have been blocks above that which the peer has not announced.
  private @Nullable Instant behindSince;
  // Since when it has been skipping such blocks.
  private @Nullable Instant lateSince;
  // Since when it has been on a branch of equal work.
  private @Nullable Instant racesSince;

  /** It has the blocks up to a height. */
  public boolean rises(int to) {
    if (to <= height) {
      return false;
    }
    height = to;
    behindSince = null;
    lateSince = null;
    return true;
  }

  /** Blocks left our chain: that it had those proves nothing about the others. */
  void cutAbove(int fork) {
    height = Math.min(height, fork);
    behindSince = null;
    lateSince = null;
  }

  /** Its chain forks off ours: it has no more of our blocks yet, and is as late as before. */
  void partsAt(int fork) {
    height = Math.min(height, fork);
    behindSince = null;
  }

  /** Its chain has as much work as ours and another end, or not. */
  public void races(boolean tied, Instant now) {
    if (!tied && racesSince != null) {
      behindSince = behindSince == null ? null : now;
      lateSince = lateSince == null ? null : now;
    }
    if (!tied || racesSince == null) {
      racesSince = tied ? now : null;
    }
  }

  /** Whether it is on a branch of equal work. */
  boolean isRacing() {
    return racesSince != null;
  }

  /** Whether it has been on a branch of equal work for longer than a time. */
  public boolean isRacingFor(Duration time, Instant now) {
    return racesSince != null && !now.isBefore(racesSince.plus(time));
  }

  /** Whether it may lack a block so far, and be honest. */
  public boolean mayLack(int block, int tip) {
    return block > height && tip - height < FAR_BEHIND;
  }

  /**
   * It is about to get a request: from now on it has a while to announce the blocks it may lack.
   */
  public void waits(int tip, Instant now) {
    if (!mayLack(tip, tip)) {
      behindSince = null;
    } else if (behindSince == null) {
      behindSince = now;
    }
  }

  /** The height up to which it may be asked now. */
  public int upTo(int tip, Instant now) {
    Instant since = behindSince;
    boolean waits = since != null && now.isBefore(since.plus(GRACE));
    return waits || isRacing() ? Math.min(height, tip) : tip;
  }

  /** When to ask it for blocks that it did not announce, or null. */
  public @Nullable Instant askAt() {
    return behindSince == null || isRacing() ? null : behindSince.plus(GRACE);
  }

  /** When it has been on a branch of equal work for a time; null if it is on none. */
  public @Nullable Instant raceEnds(Duration time) {
    return racesSince == null ? null : racesSince.plus(time);
  }

  /** It skipped a block that it may lack, for the first time since it had all earlier ones. */
  public void late(Instant now) {
    lateSince = now;
  }

  /** Whether it skips blocks that it may lack. */
  public boolean isLate() {
    return lateSince != null;
  }

  /** Whether it is not blamed yet for skipping a block, which may still reach it. */
  public boolean excuses(int block, int tip, Duration patience, Instant now) {
    return mayLack(block, tip)
        && (isRacing() || lateSince == null || now.isBefore(lateSince.plus(patience)));
  }
}
