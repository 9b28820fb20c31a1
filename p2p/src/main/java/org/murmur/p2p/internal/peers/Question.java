package org.murmur.p2p.internal.peers;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.sync.SyncSettings;

/**
 * One request on a link, from the time it is sent until no more answers can come. It is open while
 * something is owed for it, or while the ping after it has no pong. State only: {@link Questions}
 * changes it.
 */
public final class Question {

  /**
   * The kind of request, the least urgent answer that counts while it is open, whether its answer
   * is seen only when complete, and how many times the usual time that may take.
   */
  public enum Kind {
    /** A TCP connection. */
    CONNECTION(Patience.Answer.NEWS, true, 1),
    /** The peer's version message. */
    HANDSHAKE(Patience.Answer.NEWS, true, 1),
    /** {@code getheaders}; it owes one message. */
    HEADERS(Patience.Answer.HEADERS),
    /** {@code getdata} of filtered blocks; it owes that many blocks. */
    BLOCKS(Patience.Answer.PROGRESS),
    /** {@code getcfcheckpt} or {@code getcfheaders}; it owes one message of at most 321 kB. */
    FILTER_HEADERS(Patience.Answer.PROGRESS, true, 2),
    /** {@code getcfilters}; it owes that many filters. */
    FILTERS(Patience.Answer.PROGRESS),
    /** {@code getdata} of one whole block: 4 MB at 33 kB a second. */
    WHOLE_BLOCK(Patience.Answer.PROGRESS, true, 4),
    /** {@code getdata} of unconfirmed transactions; it owes that many, or a notfound. */
    TRANSACTIONS(Patience.Answer.NEWS),
    /** {@code getheaders} of one header near our tip. It owes a pong only. */
    TIP(Patience.Answer.NEWS),
    /** {@code mempool}. It owes a pong only: an empty memory pool has no answer. */
    MEMPOOL(Patience.Answer.NEWS),
    /** A ping alone. */
    PING(Patience.Answer.NEWS);

    private final Patience.Answer urgency;
    private final boolean atOnce;
    private final int times;

    Kind(Patience.Answer urgency) {
      this(urgency, false, 1);
    }

    Kind(Patience.Answer urgency, boolean atOnce, int times) {
      this.urgency = urgency;
      this.atOnce = atOnce;
      this.times = times;
    }

    Patience.Answer urgency() {
      return urgency;
    }

    /** Whether its answer is seen only when complete; others come piece by piece. */
    boolean comesAtOnce() {
      return atOnce;
    }
  }

  /** The part that sent the request. */
  @FunctionalInterface
  public interface Owner {

    /** For requests whose end needs no action. */
    Owner NOBODY = question -> Refusal.NONE;

    /**
     * The pong after the request has come: the rest of the answer will not come. Returns why the
     * peer is to be disconnected, or {@link Refusal#NONE}.
     */
    Refusal closed(Question question);
  }

  private final Kind kind;
  private final Instant askedAt;
  private final Owner owner;
  private int owed;
  private @Nullable Long ping;

  Question(Kind kind, int owed, @Nullable Long ping, Owner owner, Instant askedAt) {
    this.kind = kind;
    this.owed = owed;
    this.ping = ping;
    this.owner = owner;
    this.askedAt = askedAt;
  }

  public Kind kind() {
    return kind;
  }

  /** When it was sent, in steady time. */
  public Instant askedAt() {
    return askedAt;
  }

  /** How many headers messages, blocks or transactions are still owed for it. */
  public int owed() {
    return owed;
  }

  /** How long the peer may be silent while we wait for this request. */
  public Duration limit(SyncSettings settings) {
    return switch (kind) {
      case CONNECTION, HANDSHAKE -> settings.connectTimeout();
      default -> settings.stallTimeout().multipliedBy(owed > 0 ? kind.times : 1);
    };
  }

  boolean hasPing() {
    return ping != null;
  }

  boolean hasPing(long nonce) {
    return ping != null && ping == nonce;
  }

  boolean isOpen() {
    return owed > 0 || ping != null;
  }

  void owesLess(int count) {
    owed -= count;
  }

  Refusal close() {
    ping = null;
    return owner.closed(this);
  }
}
