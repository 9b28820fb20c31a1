package org.murmur.p2p.peers;

import java.util.List;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.Message;

/**
 * What may still be asked for, where the bytes of a session are limited. What was asked for and has
 * not come counts as if it had. How large an answer will be is estimated; the one who reads from
 * the sockets holds to the limit exactly, and ends the session there ({@link Input.LimitReached}).
 *
 * <p>It only answers questions, and remembers nothing. Whether it is spent follows from whom those
 * name who ask for headers and for blocks.
 */
public final class Budget {

  /** Bytes of a message around its entries: its frame and the count. */
  private static final int AROUND = 27;

  private static final int HEADER = BlockHeader.LENGTH + 1;

  /** A filtered block, before any was measured. */
  private static final int BLOCK = 1_000;

  /** Blocks to come may be larger than those that came. */
  private static final double MARGIN = 1.25;

  /** A whole block, asked for without witness data (BIP-0141). */
  private static final int WHOLE_BLOCK = 1_000_000;

  /** A few blocks may be much larger: this much stays free whatever the average size. */
  private static final int SLACK = 4_000;

  private final Effects effects;
  private final HeaderChain chain;
  private final Roster roster;
  private final long limit;

  public Budget(Effects effects, SyncSettings settings, HeaderChain chain, Roster roster) {
    this.effects = effects;
    this.chain = chain;
    this.roster = roster;
    this.limit = settings.maxBytes();
  }

  /** Whether a peer may be asked for headers: the next ones, as many as it says that it has. */
  public boolean allowsHeaders(Peer peer) {
    return limit == 0 || headers(peer) <= left();
  }

  /**
   * Whether a peer may not be asked for headers even when all that is on its way has come. Who says
   * that it has many more than we is ruled out early.
   */
  public boolean rulesOutHeaders(Peer peer) {
    return limit > 0 && headers(peer) > limit - effects.bytesReceived();
  }

  /** How many of some blocks a peer may be asked for. */
  public int blocks(Peer peer, int wanted) {
    long allowed = limit == 0 ? wanted : (left() - SLACK) / block(peer);
    return (int) Math.max(0, Math.min(wanted, allowed));
  }

  /** Whether any peer may be asked for a whole block. */
  public boolean allowsWholeBlock() {
    return limit == 0 || WHOLE_BLOCK <= left();
  }

  /** Whether there are peers to ask for headers, and none of them may be asked. */
  public boolean holdsUpHeaders(List<Peer> askable) {
    return !askable.isEmpty() && askable.stream().noneMatch(this::allowsHeaders);
  }

  private long left() {
    return limit - effects.bytesReceived() - asked();
  }

  /** What is on its way. */
  private long asked() {
    long bytes = 0;
    for (Peer peer : roster.peers()) {
      bytes +=
          peer.questions().owed(Question.Kind.HEADERS) * headers(peer)
              + peer.questions().owed(Question.Kind.BLOCKS) * block(peer)
              + (long) peer.questions().owed(Question.Kind.WHOLE_BLOCK) * WHOLE_BLOCK;
    }
    return bytes;
  }

  private long headers(Peer peer) {
    Message.Version version = peer.version();
    int more = version == null ? 0 : version.startHeight() - chain.height();
    return AROUND + (long) HEADER * Math.max(1, Math.min(Headers.MAX_PER_MESSAGE, more));
  }

  private static long block(Peer peer) {
    double measured = Pace.of(peer).bytesPerBlock();
    return measured > 0 ? (long) Math.ceil(MARGIN * measured) : BLOCK;
  }
}
