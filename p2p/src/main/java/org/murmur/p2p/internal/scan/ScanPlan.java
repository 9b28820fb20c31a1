package org.murmur.p2p.internal.scan;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.ChangeListener;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.sync.SyncWarning;

/**
 * A preset's way to scan: which filter a peer gets, and which blocks each peer serves. {@link
 * BlockScan} sends the requests and handles the answers.
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

  /** Blocks that are still to be requested. */
  long left();

  /** Whether a peer that is gone served anything new on its connection, so that a retry helps. */
  boolean wasUseful(ScanPeer peer);

  @Override
  default void setAlarm(Alarm alarm) {}
}
