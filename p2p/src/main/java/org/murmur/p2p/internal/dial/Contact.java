package org.murmur.p2p.internal.dial;

import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.discovery.Attempts;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;

/**
 * A peer that this session calls, and the state of its calls. It is <em>pinned</em> if the user
 * named it or if it is a guard of an earlier session: no other peer takes its place. Otherwise it
 * was found: its address, attempts and ban are in the address table, which outlives the connection.
 */
final class Contact {

  final NodeAddress address;
  // Null for a host name.
  final @Nullable Endpoint endpoint;
  private final @Nullable NetGroup group;
  private final boolean pinned;
  // Whether the connection may be encrypted, as far as is known.
  final boolean encrypts;
  private final Supplier<Attempts> attempts;
  // The connection that is established or being made.
  @Nullable Link link;
  boolean mempoolAtOnce;
  // Back-off after misbehaviour; pinned peers only.
  Instant backOffUntil = Instant.EPOCH;
  DisconnectReason backOffReason = DisconnectReason.DONE;
  // The back-off in spite of which it is called, as the user knows.
  DisconnectReason warnedOf = DisconnectReason.DONE;
  // Whether the user knows of the back-off.
  boolean backOffReported;
  // Whether a version handshake ever succeeded.
  boolean answered;
  // Whether an earlier session knew it.
  private boolean remembered;
  // Why it was last lost.
  Refusal lost = new Refusal(DisconnectReason.DONE, Obstacle.NO_CONNECTION, "not tried");
  // The height of the last block request that it answered by disconnecting; -1 before any.
  private int refusedFrom = -1;
  private boolean refusesAgain;

  private Contact(
      NodeAddress address,
      @Nullable Endpoint endpoint,
      boolean pinned,
      boolean encrypts,
      Supplier<Attempts> attempts) {
    this.address = address;
    this.endpoint = endpoint;
    this.group = endpoint == null ? null : NetGroup.of(endpoint);
    this.pinned = pinned;
    this.encrypts = encrypts;
    this.attempts = attempts;
  }

  static Contact pinned(NodeAddress address) {
    Attempts own = new Attempts();
    return new Contact(address, address.endpoint().orElse(null), true, true, () -> own);
  }

  /** Creates a contact for an address of the table, which may replace its attempts. */
  static Contact found(Endpoint endpoint, boolean encrypts, Supplier<Attempts> attempts) {
    return new Contact(NodeAddress.of(endpoint), endpoint, false, encrypts, attempts);
  }

  boolean isPinned() {
    return pinned;
  }

  Attempts attempts() {
    return attempts.get();
  }

  /** The group of its address, or of the address that a pinned peer's host name led to. */
  @Nullable NetGroup group(Peer peer) {
    NodeAddress at = pinned ? peer.at() : null;
    return at == null ? group : at.endpoint().map(NetGroup::of).orElse(null);
  }

  /** Restores the facts that an earlier session stored. */
  void remember(CommitBatch.PeerFacts facts) {
    mempoolAtOnce = facts.mempoolAtOnce();
    remembered = true;
    for (DisconnectReason reason : DisconnectReason.values()) {
      if (reason.isMisbehaviour() && reason.name().equals(facts.misbehaviour())) {
        backOff(reason, Instant.ofEpochSecond(facts.lastSeen()));
      }
    }
  }

  void backOff(DisconnectReason reason, Instant since) {
    backOffReason = reason;
    backOffUntil = since.plus(reason.backOff());
    backOffReported = false;
  }

  boolean isInBackOff(Instant now) {
    return now.isBefore(backOffUntil);
  }

  /** Limits the back-off to its full length: a wrong clock may have set its end too late. */
  void boundBackOff(Instant now) {
    Instant longest = now.plus(backOffReason.backOff());
    backOffUntil = backOffUntil.isAfter(longest) ? longest : backOffUntil;
  }

  /** When it is called next; null while it is connected, and after it was given up. */
  @Nullable Instant callAt() {
    return link == null ? attempts().callAt() : null;
  }

  /** Whether it is connected, or may be called even if other peers are left. */
  boolean isCandidate(Instant now) {
    return link != null || (callAt() != null && !isInBackOff(now));
  }

  /** Whether it is called soon enough to wait for. */
  boolean isCalledSoon(Instant now) {
    Instant at = callAt();
    return at != null && !at.isAfter(now.plus(Attempts.LONGEST_PAUSE));
  }

  /**
   * Whether it was lost by a byte that may have been damaged on the way, for the first time since
   * it was useful: it is called again at once. That is worth it only for a peer that the user
   * means, or that answered before: other addresses may lead to no node. Silence costs 30 seconds,
   * which only a peer is worth that no other one replaces; that of a node that is not synced has
   * its own cause. One that sends no version message must have been a node once.
   */
  boolean isExcused() {
    return (pinned || (answered && lost.reason() != DisconnectReason.STALLED))
        && (lost.reason().mayBeDamage() || isMuteNode())
        && !lost.obstacle().equals(Obstacle.OTHER_NETWORK)
        && !lost.obstacle().equals(Obstacle.NOT_SYNCED)
        && attempts().calls() <= 1;
  }

  private boolean isMuteNode() {
    return pinned && (answered || remembered) && lost.obstacle().equals(Obstacle.NO_VERSION);
  }

  /**
   * It disconnected on a block request. Once may be chance. A peer that does so again at the same
   * height will not serve these blocks during a one-off sync.
   */
  void refusedBlocks(int from) {
    refusesAgain = refusedFrom == from;
    refusedFrom = from;
  }

  /**
   * Whether a one-off sync calls it again. If it sent nothing useful during a whole connection, the
   * same request will stall again.
   */
  boolean isWorthAnotherCall() {
    boolean stalled = lost.reason() == DisconnectReason.STALLED && attempts().calls() > 0;
    return lost.reason().passesSoon()
        && answered
        && !stalled
        && !refusesAgain
        && attempts().calls() < Attempts.MAX_CALLS;
  }
}
