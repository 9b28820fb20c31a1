package org.murmur.p2p.headers;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;

/**
 * How far up our chain one peer is known to have the blocks: by the height it said, the blocks it
 * announced, and the headers and blocks it served. State only.
 *
 * <p>A new block reaches honest nodes one after the other, and a slow one checks it for longer.
 * What a node has not got yet it passes over in silence, just as if it kept it from us. So later
 * blocks are not held against it for a while; not so if that many are missing that {@link TipWatch}
 * looks into a shorter chain at once.
 */
public final class Reach {

  /** Blocks behind us, a day's worth, at which a peer is asked at once. */
  public static final int FAR_BEHIND = 144;

  /**
   * How long a peer is left to tell of a block itself, where to be refused is dear. Most nodes hear
   * of a block within some seconds of the first; and one that had it before it was told of it has
   * no reason to tell.
   */
  static final Duration GRACE = Duration.ofSeconds(5);

  private static final PerPeer<Reach> ALL = new PerPeer<>(peer -> new Reach());

  private int height;
  // Since when there have been blocks above that, and nothing was heard of them.
  private @Nullable Instant behindSince;
  // Since when it has been passing such blocks over.
  private @Nullable Instant lateSince;

  /** Returns what is known of a peer's. */
  public static Reach of(Peer peer) {
    return ALL.of(peer);
  }

  /**
   * It has the blocks up to a height.
   *
   * @return whether that is new
   */
  public boolean rises(int to) {
    if (to <= height) {
      return false;
    }
    height = to;
    behindSince = null;
    lateSince = null;
    return true;
  }

  /** Blocks left our chain: that it had those says nothing of the others. */
  void cutAbove(int fork) {
    height = Math.min(height, fork);
    behindSince = null;
    lateSince = null;
  }

  /** Its chain parts from ours: it has no more of ours yet, and is as late as it was. */
  void partsAt(int fork) {
    height = Math.min(height, fork);
    behindSince = null;
  }

  /** Whether it may be without a block yet, and honest. */
  public boolean mayLack(int block, int tip) {
    return block > height && tip - height < FAR_BEHIND;
  }

  /** It is about to be asked: from now on it has a while to announce the blocks it may lack. */
  public void waits(int tip, Instant now) {
    if (!mayLack(tip, tip)) {
      behindSince = null;
    } else if (behindSince == null) {
      behindSince = now;
    }
  }

  /** Up to where it is to be asked now. */
  public int upTo(int tip, Instant now) {
    Instant since = behindSince;
    return since != null && now.isBefore(since.plus(GRACE)) ? height : tip;
  }

  /** When it is to be asked for what it did not tell of, or null. */
  public @Nullable Instant askAt() {
    return behindSince == null ? null : behindSince.plus(GRACE);
  }

  /** It passed over a block that it may lack, for the first time since it had all before. */
  public void late(Instant now) {
    lateSince = now;
  }

  /** Whether it passes blocks over that it may lack. */
  public boolean isLate() {
    return lateSince != null;
  }

  /** Whether a block that it passes over is not held against it so long, as it may come yet. */
  public boolean excuses(int block, int tip, Duration patience, Instant now) {
    return mayLack(block, tip) && (lateSince == null || now.isBefore(lateSince.plus(patience)));
  }
}
