package org.murmur.p2p.sync;

import java.time.Duration;

/**
 * Why the machine ends a connection, and for how long the address is left alone after that.
 *
 * <p>Four kinds: ends that are nobody's fault; faults that an honest peer can have on a bad day,
 * with a short back-off; those of them that will not pass while a one-off sync waits; and misdeeds
 * that no honest peer commits, with that of Bitcoin Core's bans (24 hours) or, where a peer only
 * wasted our time, an hour. {@code docs/misbehaviour.md} has the whole table.
 */
public enum DisconnectReason {
  /** The session is over. */
  DONE(Kind.INNOCENT, Duration.ZERO),
  /** No connection, or no hello, in time. */
  CONNECT_TIMEOUT(Kind.INNOCENT, Duration.ZERO),
  /**
   * Whoever answers our hello is no peer of this network: another service, another network's node,
   * or the login page of the network that this machine is in.
   */
  NO_NODE(Kind.INNOCENT, Duration.ZERO),
  /**
   * Nothing comes any more, from anybody: this machine slept or changed its network, and the line
   * died of that.
   */
  LINE_DEAD(Kind.INNOCENT, Duration.ZERO),
  /** A ping was not answered in time, or was passed over. */
  PING_TIMEOUT(Kind.FAULT, Duration.ofMinutes(1)),
  /** What was asked for did not come in time. */
  STALLED(Kind.FAULT, Duration.ofMinutes(1)),
  /** What was asked for comes, but at a crawl. */
  SLOW(Kind.FAULT, Duration.ofMinutes(10)),
  /** Its chain ends far below the others', or stands still while theirs go on. */
  STALE_TIP(Kind.FAULT, Duration.ofMinutes(10)),
  /** Its chain has less work than the network's is known to have; perhaps it is still syncing. */
  LOW_WORK(Kind.FAULT, Duration.ofMinutes(10)),
  /** Its headers lead elsewhere than the best chain, and have less work. */
  OTHER_CHAIN(Kind.LASTING, Duration.ofMinutes(10)),
  /** It passes over blocks: a pruned node, or one that is not synced itself. */
  LACKS_BLOCKS(Kind.LASTING, Duration.ofMinutes(10)),
  /** What it sent made Murmur fail in a way that nobody expected; the fault is Murmur's. */
  INTERNAL_ERROR(Kind.LASTING, Duration.ofMinutes(10)),
  /** It does not serve BIP-0037 (no NODE_BLOOM). */
  NO_BLOOM(Kind.UNFIT, Duration.ZERO),
  /** It keeps the last blocks only (BIP-0159), and older ones are needed. */
  PRUNED(Kind.UNFIT, Duration.ZERO),
  /** It is connected already, under another name: it would count as two. */
  DUPLICATE(Kind.UNFIT, Duration.ZERO),
  /** It connected to ourselves. */
  SELF(Kind.UNFIT, Duration.ZERO),
  /** More addresses, announcements, pings or questions than an honest peer has. */
  FLOODING(Kind.MISDEED, Duration.ofHours(1)),
  /** Transactions that our filter cannot have matched, or more by chance than chance allows. */
  NOT_MATCHING(Kind.MISDEED, Duration.ofHours(1)),
  /** Blocks or transactions that nobody asked for. */
  UNASKED(Kind.MISDEED, Duration.ofHours(24)),
  /** A message larger than its kind can be. */
  OVERSIZED(Kind.MISDEED, Duration.ofHours(24)),
  /** Bytes that are no message, or one that breaks the protocol. */
  PROTOCOL_ERROR(Kind.MISDEED, Duration.ofHours(24)),
  /** Headers that break the rules. */
  BAD_HEADERS(Kind.MISDEED, Duration.ofHours(24)),
  /** A Merkle proof that proves nothing. */
  BAD_PROOF(Kind.MISDEED, Duration.ofHours(24)),
  /** A transaction that no valid block can hold, proven or not: its values are out of range. */
  INVALID_TRANSACTION(Kind.MISDEED, Duration.ofHours(24)),
  /** A transaction left out although the filter matches it; the whole block proves it. */
  OMISSION(Kind.MISDEED, Duration.ofHours(24));

  private enum Kind {
    INNOCENT,
    UNFIT,
    FAULT,
    LASTING,
    MISDEED
  }

  private final Kind kind;
  private final Duration backOff;

  DisconnectReason(Kind kind, Duration backOff) {
    this.kind = kind;
    this.backOff = backOff;
  }

  /**
   * Returns whether it can happen to an honest peer, so that trying again in a session that goes on
   * makes sense.
   *
   * @return false for misdeeds and for what will not change
   */
  public boolean isTransient() {
    return kind == Kind.INNOCENT || kind == Kind.FAULT || kind == Kind.LASTING;
  }

  /**
   * Returns whether it may be over before long, so that a session that is to end soon tries again,
   * too.
   *
   * @return false also for what an honest peer needs hours to mend
   */
  public boolean passesSoon() {
    return kind == Kind.INNOCENT || kind == Kind.FAULT;
  }

  /**
   * Returns whether the peer did something wrong, on purpose or not: then the report names it.
   *
   * @return true for faults and misdeeds
   */
  public boolean isMisbehaviour() {
    return kind == Kind.FAULT || kind == Kind.LASTING || kind == Kind.MISDEED;
  }

  /**
   * Returns how long the address is not called again, in this session and in later ones, unless
   * there is nobody else to call.
   *
   * @return zero if only the usual pause between calls applies
   */
  public Duration backOff() {
    return backOff;
  }
}
