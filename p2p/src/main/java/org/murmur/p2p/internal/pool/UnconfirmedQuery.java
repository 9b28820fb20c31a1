package org.murmur.p2p.internal.pool;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.wire.Message;

/** Queries unconfirmed transactions, once everything else is known (BIP-0035). */
public interface UnconfirmedQuery extends Alarm.Timed {

  /**
   * After this long a peer has announced what it has. Core's pauses are random, 5 seconds on
   * average, and one in 160,000 is longer than this.
   */
  Duration SPREADING = Duration.ofSeconds(60);

  /** Core's DEFAULT_MEMPOOL_EXPIRY_HOURS, 336: a node drops transactions that are older. */
  Duration EXPIRY = Duration.ofDays(14);

  /** Whether the answer is here, or its deadline passed. */
  boolean isOver();

  @Override
  default void setAlarm(Alarm alarm) {}

  /**
   * Everything is covered and on disk: send the request, or check whether the answer is complete.
   * Returns whether a peer no longer needs its filter, so that the scan plans again.
   */
  boolean advance();

  /**
   * Whether peers are disconnected before absences are written: they must not see whether anything
   * is missing.
   */
  default boolean endsUnwritten() {
    return false;
  }

  /** The connected peers whose answers count, and that were asked on this link. */
  default Set<NodeAddress> asked() {
    return Set.of();
  }

  /** Those of them that announced their pools, and served all of it. */
  default Set<NodeAddress> told() {
    return Set.of();
  }

  /** Before any peer gets a filter: finds out how it will answer. */
  default void probe() {}

  /** A peer announced something. */
  default void inv(PoolPeer peer, Message.Inv inv) {}

  /** A peer does not have requested transactions. */
  default void notFound(PoolPeer peer, List<Hash256> txids) {}

  /** A peer served a requested unconfirmed transaction. */
  default void served(PoolPeer peer, Hash256 txid) {}

  /** A peer announced blocks: its chain changed, and its mempool with it. */
  default void moved(PoolPeer peer) {}

  /** A peer is gone. */
  default void lost(PoolPeer peer) {}
}
