package org.murmur.p2p.sync;

import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.Message;

/**
 * What may still be asked for, where the bytes of a session are limited. What was asked for and has
 * not come counts as if it had. How large an answer will be is estimated; the one who reads from
 * the sockets holds to the limit exactly.
 */
final class Budget {

  /** Of a message: its frame and the count. */
  private static final int AROUND = 27;

  private static final int HEADER = BlockHeader.LENGTH + 1;

  /** A filtered block, before any was measured. */
  private static final int BLOCK = 1_000;

  /** Blocks to come may be larger than those that came. */
  private static final double MARGIN = 1.25;

  private final Session session;
  private final long limit;
  // The last question was not asked.
  private boolean refused;

  Budget(Session session) {
    this.session = session;
    this.limit = session.settings.maxBytes();
  }

  /** Whether a peer may be asked for headers: the next ones, as many as it says that it has. */
  boolean allowsHeaders(Peer peer) {
    return limit == 0 || allows(headers(peer));
  }

  /** How many of some blocks a peer may be asked for. */
  int blocks(Peer peer, int wanted) {
    if (limit == 0) {
      return wanted;
    }
    int allowed = (int) Math.max(0, Math.min(wanted, left() / block(peer)));
    refused = allowed == 0;
    return allowed;
  }

  /** Whether nothing is on its way, and what would be asked next is not allowed. */
  boolean isSpent() {
    return refused
        && asked() == 0
        && session.peers.values().stream().allMatch(peer -> peer.nextLoad == null);
  }

  private boolean allows(long bytes) {
    refused = bytes > left();
    return !refused;
  }

  private long left() {
    return limit - session.bytesReceived - asked();
  }

  /** What is on its way. */
  private long asked() {
    long bytes = 0;
    for (Peer peer : session.peers.values()) {
      bytes += (long) peer.talk.asks.size() * headers(peer) + peer.inFlight * block(peer);
    }
    return bytes;
  }

  private long headers(Peer peer) {
    Message.Version version = peer.version;
    int more = version == null ? 0 : version.startHeight() - session.chain.height();
    return AROUND + (long) HEADER * Math.max(1, Math.min(Headers.MAX_PER_MESSAGE, more));
  }

  private static long block(Peer peer) {
    double measured = peer.pace.bytesPerBlock();
    return measured > 0 ? (long) Math.ceil(MARGIN * measured) : BLOCK;
  }
}
