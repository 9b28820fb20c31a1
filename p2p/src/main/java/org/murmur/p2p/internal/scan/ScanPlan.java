package org.murmur.p2p.internal.scan;

import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.ChangeListener;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.SyncWarning;

/**
 * A preset's way to scan: in which way blocks are seen, and which blocks each peer serves. It owns
 * its scan, which sends the requests and handles the answers.
 */
public interface ScanPlan extends ChangeListener, Alarm.Timed {

  /** Requests more blocks if any are missing. Cheap when the pipelines are well filled. */
  void plan();

  /** Whether every element was scanned for in every block, by the requested number of peers. */
  boolean isCovered();

  /** The height of {@link #isCovered}: the tip, or lower if the rest has to wait. */
  int height();

  /** Whether no connected peer can scan the uncovered blocks. */
  boolean isExhausted();

  /** Whether only the byte limit prevents requests for missing blocks, while none are in flight. */
  boolean isHeldUp();

  /**
   * The first block that is needed from a peer although it announces that it does not keep it;
   * empty if the peer is of use.
   */
  OptionalInt beyond(ScanPeer peer);

  /** Why it is exhausted, if it needs a guard that is missing. */
  default SyncWarning.@Nullable MissingGuard refusal() {
    return null;
  }

  /**
   * Whether all needed peers were connected at once in this session: a missing one may come back.
   */
  default boolean mayComeBack() {
    return true;
  }

  @Override
  default void hear(Change change) {}

  /** How many of the requested different peers saw every block. */
  int seenBy();

  /**
   * How many peers agree on the block filters that check a complete scan; empty if the scan is not
   * complete, or is not checked by them.
   */
  default OptionalInt witnesses() {
    return OptionalInt.empty();
  }

  /** Blocks that are still to be requested, or that peers owe. */
  long left();

  /** Peers that keep skipping blocks, or have been on a branch of equal work for too long. */
  Map<ScanPeer, Refusal> withholders();

  /** Why a peer may have disconnected, if that was its answer to a block request. */
  Obstacle hangUp(ScanPeer peer);

  /**
   * From which height on blocks were requested from it, if it disconnected within seconds of the
   * request and never served any.
   */
  OptionalInt refusedFrom(ScanPeer peer);

  /** Whether a peer that is gone served anything new on its connection, so that a retry helps. */
  boolean wasUseful(ScanPeer peer);
}
