package org.murmur.p2p.headers;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.PerPeer;

/** What is known of one peer's chain. */
public final class Tip {

  /**
   * How long a peer may be on another branch before it counts as another chain: a reorganisation
   * takes some seconds to reach everybody, and some come in a row.
   */
  public static final Duration APART_PATIENCE = Duration.ofSeconds(10);

  /** How often it is asked in that time whether it still is. */
  static final Duration APART_PAUSE = Duration.ofSeconds(2);

  private static final PerPeer<Tip> TIPS = new PerPeer<>(peer -> new Tip());

  /** The height it said, or that its headers reach. */
  int height;

  @Nullable Instant behindSince;
  // The header it was asked to show.
  @Nullable Hash256 asked;
  // The last header that it told of its chain, or null if it has none beyond ours.
  @Nullable Hash256 told;
  // Whether that was beside our chain as it was told.
  boolean toldBeside;
  boolean toldAnything;
  // Since when it has been known to be on another branch, and when it was last asked again.
  @Nullable Instant apartSince;
  Instant apartAskedAt = Instant.EPOCH;
  // Whether its patience is over: the answer to come decides.
  boolean lastChance;

  /** The height it said, or that its headers reach. */
  public int height() {
    return height;
  }

  /** Returns what is known of a peer's. */
  public static Tip of(Peer peer) {
    return TIPS.of(peer);
  }

  /** Whether it is on another branch, for how long is to be seen: nothing is asked of it. */
  public boolean isApart() {
    return apartSince != null;
  }

  @Nullable Instant apartDue() {
    if (apartSince == null) {
      return null;
    }
    Instant end = apartSince.plus(APART_PATIENCE);
    Instant next = apartAskedAt.plus(APART_PAUSE);
    return next.isBefore(end) ? next : end;
  }

  /** Whether its chain may be another one than ours: it seems shorter, or was told to part. */
  public boolean isDoubtful(int ourHeight) {
    return toldAnything ? toldBeside : height < ourHeight;
  }
}
