package org.murmur.p2p.internal.scan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.cover.Heights;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.peers.Roster;
import org.murmur.p2p.internal.scan.ScanLink.Stripe;

/**
 * The stripes of the fast preset: how peers that work in parallel divide the blocks, when one peer
 * is enough for each block.
 *
 * <p>A coin that one peer finds is not in the filters that other peers used meanwhile, so their
 * blocks above it are scanned again. The amount depends on how the work is divided. While coins are
 * rare, short stripes in parallel lose little for each coin. With several coins in every stripe,
 * all blocks except those of the lowest stripe are lost anyway. Long stripes then lose fewer, since
 * a peer adds its own finds within its stripe. So the length of stripes follows the number of coins
 * found.
 */
final class Stripes {

  /** Heights to request in one message. */
  record Range(int from, int to) {}

  /** Blocks that hold no coin, assumed before any was scanned. */
  private static final int NO_COINS_SO_FAR = 500;

  /** A stripe of this many chunks, where coins are rare. */
  private static final int CHUNKS = 2;

  /** Minimum length of the last stripes. */
  private static final int MIN_LENGTH = 5;

  private final Roster<? extends ScanPeer> roster;
  private final Scanned scanned;
  private final Scanners<?> scanners;
  private final WatchedLog log;

  Stripes(Roster<? extends ScanPeer> roster, Scanned scanned, Scanners<?> scanners) {
    this.roster = roster;
    this.scanned = scanned;
    this.scanners = scanners;
    this.log = scanned.log();
  }

  /** A peer's share of some blocks if all end together. */
  int share(ScanPeer peer, long blocks) {
    double all = 0;
    boolean known = true;
    List<? extends ScanPeer> atWork = scanners.atWork();
    for (ScanPeer other : atWork) {
      all += other.pace().rate();
      known &= other.pace().rate() > 0;
    }
    double part = known && all > 0 ? peer.pace().rate() / all : 1.0 / Math.max(1, atWork.size());
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE / 2.0, blocks * part));
  }

  /** Half of a peer's share of the last blocks: short, so that all end together. */
  int lastShare(ScanPeer peer, long blocks) {
    return Math.max(MIN_LENGTH, share(peer, blocks) / 2);
  }

  /**
   * The next blocks of a peer's stripe; it gets a new stripe if nothing of its own is left. Null if
   * other peers have all of them.
   */
  @Nullable Range next(ScanPeer peer, Heights fresh) {
    Stripe mine = peer.scan().stripe();
    if (mine == null || !mine.hasAnyOf(fresh)) {
      mine = begin(peer, fresh);
      peer.scan().worksOn(mine);
    }
    if (mine == null) {
      return null;
    }
    int from = fresh.firstFrom(mine.from);
    int chunk = peer.pace().chunk(false);
    return new Range(from, Math.min(Math.min(fresh.rangeEnd(from), mine.to()), from + chunk - 1));
  }

  private @Nullable Stripe begin(ScanPeer peer, Heights fresh) {
    Heights free = fresh.copy();
    for (ScanPeer other : roster.peers()) {
      Stripe taken = other.scan().stripe();
      if (other != peer && taken != null) {
        free.remove(taken.from, taken.to());
      }
    }
    if (free.isEmpty()) {
      return half(peer, fresh);
    }
    int shortest = length(peer);
    int length =
        areCoinsInAll(shortest)
            ? Math.max(shortest, share(peer, fresh.count()))
            : Math.min(shortest, lastShare(peer, free.count()));
    int from = free.first();
    return new Stripe(from, Math.min(free.rangeEnd(from), from + length - 1));
  }

  /** The upper half of the longest stripe that another peer has not reached yet. */
  private @Nullable Stripe half(ScanPeer peer, Heights fresh) {
    Stripe longest = null;
    Heights most = new Heights();
    for (ScanPeer other : roster.peers()) {
      Stripe theirs = other.scan().stripe();
      if (other == peer || theirs == null) {
        continue;
      }
      Heights left = fresh.within(theirs.from, theirs.to());
      if (left.count() > most.count()) {
        most = left;
        longest = theirs;
      }
    }
    if (longest == null) {
      return null;
    }
    Stripe half = longest.split(most.first());
    return half.hasAnyOf(fresh) ? half : null;
  }

  /**
   * Whether a block of a peer's stripe will be scanned again under any filter: all stripes hold
   * coins, and another peer still works below. Updating the filter first would only cost time; it
   * must hold all scripts anyway.
   */
  boolean willBeScannedAgain(ScanPeer peer, int block, Heights fresh) {
    Stripe mine = peer.scan().stripe();
    if (mine == null
        || peer.filter().elements() <= log.lastScript()
        || !fresh.contains(block)
        || !areCoinsInAll(length(peer))) {
      return false;
    }
    for (ScanPeer other : roster.peers()) {
      Stripe theirs = other.scan().stripe();
      if (other != peer
          && theirs != null
          && theirs.from < mine.from
          && (other.scan().inFlight() > 0 || theirs.hasAnyOf(fresh))) {
        return true;
      }
    }
    return false;
  }

  /** The length of a stripe where coins are rare. */
  private static int length(ScanPeer peer) {
    return CHUNKS * peer.pace().chunk(false);
  }

  /** Whether stripes of a length would all hold coins. */
  private boolean areCoinsInAll(int length) {
    double density = log.coinsAdded() / (double) (scanned.blocks() + NO_COINS_SO_FAR);
    return density * length * roster.size() >= 1;
  }
}
