package org.murmur.p2p.scan;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.headers.ChangeListener;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.sync.SyncWarning;

/**
 * A preset's way of looking for what is ours: how blocks are to be seen (which filter a peer is
 * shown, say), and which blocks each peer is asked for. How they are asked for, and what is made of
 * the answers, is {@link BlockScan}'s.
 */
public interface ScanPlan extends ChangeListener {

  /** Asks for more where there is more to ask for. Cheap when the pipelines are well filled. */
  void plan();

  /** Whether every element was looked for in every block there is, by as many as is wanted. */
  boolean isCovered();

  /** The height that {@link #isCovered} is about: the tip, or lower if the rest has to wait. */
  int height();

  /** Whether nobody who is there can do anything about what is not covered. */
  boolean isExhausted();

  /** Who can be asked for blocks that are missing, while nothing is on its way. */
  List<Peer> askable();

  /**
   * The first block that a peer would have to be asked for though it says that it does not keep it;
   * empty if it is of use.
   */
  OptionalInt beyond(Peer peer);

  /** Why it is exhausted, if somebody is missing who alone could go on. */
  SyncWarning.@Nullable MissingGuard refusal();

  /**
   * Whether all that are needed were there at once in this session: whoever is missing now may come
   * back.
   */
  boolean mayComeBack();

  /** By how many different peers, of those that are wanted, every block was seen. */
  int seenBy();

  /** Blocks that are still to be asked for. */
  long left();

  /**
   * Whether a peer that is gone brought anything on its connection that was not known before, so
   * that calling it again leads somewhere.
   */
  boolean wasUseful(Peer peer);

  /** When a silent peer is given up on, if one is silent. */
  @Nullable Instant overdueAt();
}
