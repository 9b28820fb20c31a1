package org.murmur.p2p.internal.peers;

import java.util.List;
import org.murmur.bip37.internal.privacy.BusyMainnet;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Limits;

/**
 * Counts the bytes that may still be requested when those of a session are limited. Requested bytes
 * count as received. The size of an answer is an estimate. The code that reads the sockets enforces
 * the exact limit and ends the session there ({@link Input.LimitReached}).
 *
 * <p>It has no state. Callers pass the peers that they want to ask. The budget is spent if the
 * limit forbids all of them.
 */
public final class Budget extends Part<Peer> {

  /** Bytes of a message without its entries: frame and count. */
  private static final int AROUND = 27;

  private static final int HEADER = BlockHeader.LENGTH + 1;

  /** Bytes of a filtered block, before any was measured. */
  private static final int BLOCK = 1_000;

  /** Bytes of an unconfirmed transaction. */
  private static final int TRANSACTION = 500;

  /** Later blocks may be larger than those measured. */
  private static final double MARGIN = 1.25;

  /** Maximum bytes of a whole block without witness data (BIP-0141). */
  private static final int WHOLE_BLOCK = 1_000_000;

  /** Maximum bytes of a whole block with witness data (BIP-0141). */
  private static final int WITNESS_BLOCK = 4_000_000;

  /** A few blocks may be much larger than the average, so this many bytes stay free. */
  private static final int SLACK = 4_000;

  private final long limit;

  public Budget(Part<?> machine) {
    super(machine);
    this.limit = settings.limits().bytes();
  }

  /** Whether a peer may be asked for the next headers, as many as it claims to have. */
  public boolean allowsHeaders(Peer peer) {
    return headers(peer) <= left();
  }

  /**
   * Whether the limit would forbid to ask a peer for headers even if no request were open. This
   * rules out a peer that claims far too many.
   */
  public boolean rulesOutHeaders(Peer peer) {
    return headers(peer) > limit - effects.bytesReceived();
  }

  /** The number of these blocks that a peer may be asked for. */
  public int blocks(Peer peer, int wanted) {
    return (int) Math.max(0, Math.min(wanted, (left() - SLACK) / block(peer)));
  }

  /** The number of these block filters that a peer may be asked for. */
  public int filters(Peer peer, int wanted) {
    return (int) Math.max(0, Math.min(wanted, (left() - SLACK) / BusyMainnet.FILTER));
  }

  /** Whether any peer may be asked for a whole block. */
  public boolean allowsWholeBlock() {
    return WHOLE_BLOCK <= left();
  }

  /** Whether any peer may be asked for a whole block with witness data: one at a time. */
  public boolean allowsWitnessBlock() {
    return limit == Limits.UNLIMITED
        || (WITNESS_BLOCK <= left()
            && roster.peers().stream()
                .allMatch(peer -> peer.questions().owed(Question.Kind.WHOLE_BLOCK) == 0));
  }

  /** Whether there are peers to ask for headers, but the limit forbids to ask any of them. */
  public boolean holdsUpHeaders(List<? extends Peer> askable) {
    return !askable.isEmpty() && askable.stream().noneMatch(this::allowsHeaders);
  }

  private long left() {
    return limit - effects.bytesReceived() - asked();
  }

  /** The estimated bytes of the open requests. */
  private long asked() {
    long bytes = 0;
    for (Peer peer : roster.peers()) {
      bytes +=
          peer.questions().owed(Question.Kind.HEADERS) * headers(peer)
              + peer.questions().owed(Question.Kind.BLOCKS) * block(peer)
              + (long) peer.questions().owed(Question.Kind.FILTERS) * BusyMainnet.FILTER
              + (long) peer.questions().owed(Question.Kind.TRANSACTIONS) * TRANSACTION
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
    double measured = peer.pace().bytesPerBlock();
    return measured > 0 ? (long) Math.ceil(MARGIN * measured) : BLOCK;
  }
}
