package org.murmur.p2p.sync;

import java.time.Duration;

/**
 * Why the machine ends a connection, and how long it then discourages the address.
 *
 * <p>Four kinds. Some ends are no fault at all. Faults can happen to an honest peer and have a
 * short back-off; some of them outlast a one-off sync. No honest peer commits misdeeds: they cost
 * the 24 hours of Bitcoin Core's bans, or one hour if the peer only wasted our time. {@code
 * docs/misbehaviour.md} has the whole table.
 */
public enum DisconnectReason {
  /** The session is over. */
  DONE(Kind.INNOCENT, Duration.ZERO),
  /** No connection, or no version handshake, in time. */
  CONNECT_TIMEOUT(Kind.INNOCENT, Duration.ZERO),
  /**
   * The other side is no peer of this network: another service, another network's node, or the
   * login page of a public network.
   */
  NO_NODE(Kind.INNOCENT, Duration.ZERO),
  /**
   * No peer sends anything any more: this computer slept or changed its network, and the connection
   * died.
   */
  LINE_DEAD(Kind.INNOCENT, Duration.ZERO),
  /**
   * Bytes that are no message: a wrong magic, command, length or checksum. One damaged byte on the
   * way does so.
   */
  DAMAGED(Kind.FAULT, Duration.ofMinutes(1)),
  /** A message larger than its command allows, by its header: a damaged byte does so, too. */
  OVERSIZED(Kind.FAULT, Duration.ofMinutes(1)),
  /** The peer did not answer a ping in time, or answered only a later one. */
  PING_TIMEOUT(Kind.FAULT, Duration.ofMinutes(1)),
  /** The peer did not send the requested data in time. */
  STALLED(Kind.FAULT, Duration.ofMinutes(1)),
  /** The peer sends the requested data too slowly. */
  SLOW(Kind.FAULT, Duration.ofMinutes(10)),
  /** Its chain ends far below the others', or stops while theirs grow. */
  STALE_TIP(Kind.FAULT, Duration.ofMinutes(10)),
  /** Its chain has less work than the network is known to have; perhaps it is still syncing. */
  LOW_WORK(Kind.FAULT, Duration.ofMinutes(10)),
  /** It claims more blocks than its headers show; perhaps it is still syncing. */
  CLAIM_NOT_KEPT(Kind.FAULT, Duration.ofMinutes(10)),
  /** Its headers are on another chain, with less work than the best one. */
  OTHER_CHAIN(Kind.LASTING, Duration.ofMinutes(10)),
  /** It skips blocks: it is pruned, or not synced. */
  LACKS_BLOCKS(Kind.LASTING, Duration.ofMinutes(10)),
  /** An unexpected exception in Murmur while handling its message; the fault is Murmur's. */
  INTERNAL_ERROR(Kind.LASTING, Duration.ofMinutes(10)),
  /** It does not serve BIP-0037 (no NODE_BLOOM). */
  NO_BLOOM(Kind.UNFIT, Duration.ZERO),
  /** It does not serve BIP-0157 (no NODE_COMPACT_FILTERS). */
  NO_FILTERS(Kind.UNFIT, Duration.ZERO),
  /** It keeps the last blocks only (BIP-0159), and older ones are needed. */
  PRUNED(Kind.UNFIT, Duration.ZERO),
  /** Its chain has as much work as ours and another end, and that lasted too long for this sync. */
  RIVAL_BRANCH(Kind.UNFIT, Duration.ZERO),
  /** It is already connected under another name, and would count twice. */
  DUPLICATE(Kind.UNFIT, Duration.ZERO),
  /** It has served as many whole blocks as a found peer may see of a wallet in one session. */
  SERVED(Kind.UNFIT, Duration.ZERO),
  /**
   * Its filter of a block and that of another peer differ (BIP-0157), and the block proves neither
   * false. Other peers take the places of both.
   */
  UNDECIDED(Kind.UNFIT, Duration.ZERO),
  /** Another name leads to a peer that the session must not talk to. */
  AVOIDED(Kind.UNFIT, Duration.ZERO),
  /** We connected to ourselves. */
  SELF(Kind.UNFIT, Duration.ZERO),
  /** More addresses, announcements, pings or requests than an honest peer sends. */
  FLOODING(Kind.MISDEED, Duration.ofHours(1)),
  /** Transactions that cannot match our filter, or more false positives than chance allows. */
  NOT_MATCHING(Kind.MISDEED, Duration.ofHours(1)),
  /** Blocks or transactions that we did not request. */
  UNASKED(Kind.MISDEED, Duration.ofHours(24)),
  /** A message with a right checksum that breaks the protocol. */
  PROTOCOL_ERROR(Kind.MISDEED, Duration.ofHours(24)),
  /** Headers that break the rules. */
  BAD_HEADERS(Kind.MISDEED, Duration.ofHours(24)),
  /** An invalid Merkle proof. */
  BAD_PROOF(Kind.MISDEED, Duration.ofHours(24)),
  /**
   * A transaction that no valid block can contain, proven or not ({@link
   * org.murmur.bip37.tx.Tx#flaw()}), or proven at a coinbase's place without being one.
   */
  INVALID_TRANSACTION(Kind.MISDEED, Duration.ofHours(24)),
  /**
   * A filter of a block (BIP-0158) that the block, or the peer's own filter headers, prove false.
   */
  FALSE_FILTER(Kind.MISDEED, Duration.ofHours(24)),
  /** The filter matches a transaction that the peer omitted; the whole block proves it. */
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
   * {@return whether it can happen to an honest peer, so that a longer session retries; false for
   * misdeeds and for reasons that will not change}
   */
  public boolean isTransient() {
    return kind == Kind.INNOCENT || kind == Kind.FAULT || kind == Kind.LASTING;
  }

  /**
   * {@return whether it may pass soon, so that even a one-off session retries; false also for
   * faults that an honest peer needs hours to mend}
   */
  public boolean passesSoon() {
    return kind == Kind.INNOCENT || kind == Kind.FAULT;
  }

  /**
   * {@return whether the peer did something wrong, on purpose or not; the report then names it;
   * true for faults and misdeeds}
   */
  public boolean isMisbehaviour() {
    return kind == Kind.FAULT || kind == Kind.LASTING || kind == Kind.MISDEED;
  }

  /**
   * {@return whether a damaged byte on the way may be the cause; true for bytes that are no
   * message, and for silence: a damaged length makes either side wait for the rest of a message}
   * Then a peer is called again at once, unless it happens twice in a row.
   */
  public boolean mayBeDamage() {
    return this == DAMAGED || this == OVERSIZED || this == NO_NODE || this == STALLED;
  }

  /**
   * {@return how long the address is not called again, in this session and later ones, unless no
   * other peer is left; zero if only the usual pause between calls applies}
   */
  public Duration backOff() {
    return backOff;
  }
}
