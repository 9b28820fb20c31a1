package org.murmur.p2p.dial;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.Attempts;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Obstacle;

/** A peer that was named, connected or not, and how calls to it went. State only. */
final class NamedPeer {

  final PeerAddress address;
  boolean mempoolAtOnce;
  // The connection that is made or stands.
  @Nullable Link link;
  final Attempts attempts = new Attempts();
  Instant backOffUntil = Instant.EPOCH;
  DisconnectReason backOffReason = DisconnectReason.DONE;
  // Whether the user knows of the back-off.
  boolean backOffReported;
  // Whether a version handshake ever succeeded in this session.
  boolean answered;
  // Why it was last lost.
  Refusal lost = new Refusal(DisconnectReason.DONE, Obstacle.NO_CONNECTION, "not tried");
  // The height of the last block request that it answered by disconnecting; -1 before any.
  private int refusedFrom = -1;
  private boolean refusesAgain;

  NamedPeer(PeerAddress address) {
    this.address = address;
  }

  /** Takes what an earlier session wrote down. */
  void remember(CommitBatch.PeerFacts facts) {
    mempoolAtOnce = facts.mempoolAtOnce();
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

  /** A clock that was wrong may have left the back-off in the future: it is at most full length. */
  void boundBackOff(Instant now) {
    Instant longest = now.plus(backOffReason.backOff());
    backOffUntil = backOffUntil.isAfter(longest) ? longest : backOffUntil;
  }

  /** When it is called next; null while it is connected, and when it was given up. */
  @Nullable Instant callAt() {
    return link == null ? attempts.callAt() : null;
  }

  /** Whether it is connected, or may be called whatever happens to the others. */
  boolean isCandidate(Instant now) {
    return link != null || (callAt() != null && !isInBackOff(now));
  }

  /** Whether it is called soon enough to wait for. */
  boolean isCalledSoon(Instant now) {
    Instant at = callAt();
    return at != null && !at.isAfter(now.plus(Attempts.LONGEST_PAUSE));
  }

  /**
   * It disconnected on a block request. Once may be chance. A peer that does so again at the same
   * height will not change its mind while a one-off sync waits.
   */
  void refusedBlocks(int from) {
    refusesAgain = refusedFrom == from;
    refusedFrom = from;
  }

  /**
   * Whether a session that ends soon calls it again. If nothing came on the whole connection, the
   * same question would meet the same silence.
   */
  boolean isWorthAnotherCall() {
    boolean mute = lost.reason() == DisconnectReason.STALLED && attempts.calls() > 0;
    return lost.reason().passesSoon()
        && answered
        && !mute
        && !refusesAgain
        && attempts.calls() < Attempts.MAX_CALLS;
  }
}
