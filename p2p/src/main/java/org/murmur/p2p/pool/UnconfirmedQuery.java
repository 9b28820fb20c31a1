package org.murmur.p2p.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.wire.Message;

/** Asks what is unconfirmed, once everything else is known (BIP-0035). */
public interface UnconfirmedQuery {

  /**
   * After this long a peer has announced what it has: Core's pauses are random, 5 seconds on
   * average, and one in 160,000 is longer than this.
   */
  Duration SPREADING = Duration.ofSeconds(60);

  /** Core's DEFAULT_MEMPOOL_EXPIRY_HOURS, 336: what waits for longer a node drops. */
  Duration EXPIRY = Duration.ofDays(14);

  /** Whether the answer is there, or was waited for long enough. */
  boolean isOver();

  /** When something is due, if anything is. */
  @Nullable Instant deadline();

  /**
   * Everything is covered and on disk: ask, or see whether the answer is whole.
   *
   * @return whether a peer need not hold its filter any longer, so that the scan plans again
   */
  boolean advance();

  /**
   * Whether peers are let go before what they did not have is written: they must not see whether
   * anything is missing.
   */
  default boolean endsUnwritten() {
    return false;
  }

  /** A peer announced something. */
  void inv(Peer peer, Message.Inv inv);

  /** A peer does not have what it was asked for. */
  void notFound(Peer peer, List<Hash256> txids);

  /** A peer handed over an unconfirmed transaction that it was asked for. */
  default void served(Peer peer, Hash256 txid) {}

  /** A peer spoke of blocks without being asked: its chain moved, and with it its memory pool. */
  default void moved(Peer peer) {}

  /** A peer is gone. */
  void lost(Peer peer);
}
