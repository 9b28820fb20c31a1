package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.Message;

/**
 * Notices a peer whose chain ends far below the others', or that stops telling of new blocks while
 * others go on.
 *
 * <p>What a peer says of its height proves nothing and what it leaves unsaid not much, so nobody is
 * dropped on suspicion: it is asked for one header near our tip, by hash. A peer that has it sends
 * it; a ping behind the question says when it has not.
 */
final class TipWatch {

  /** Blocks behind us, a day's worth, at which a peer is asked at once. */
  static final int FAR_BEHIND = 144;

  /** Blocks behind us at which a peer is asked in time. Less than this is a race or a fork. */
  static final int BEHIND = 3;

  /** How long a peer may be a few blocks behind before it is asked. */
  static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Session session;

  /** What is known of one peer's chain. */
  static final class Tip {
    /** The height it said, or that its headers reach. */
    int height;

    @Nullable Instant behindSince;
    // The header it was asked to show, and the ping behind the question.
    @Nullable Hash256 asked;
    long ping;
  }

  TipWatch(Session session) {
    this.session = session;
  }

  /** A peer said how high its chain is. */
  void claimed(Peer peer, int height) {
    peer.tip.height = height;
  }

  /** Whether headers are the one that the peer was asked to show. */
  boolean isShown(Peer peer, Headers headers) {
    return headers.count() == 1 && Objects.equals(peer.tip.asked, headers.hash(0));
  }

  /** Headers came: the peer's chain has them. */
  void received(Peer peer, Headers headers) {
    if (!headers.isEmpty()) {
      Hash256 last = headers.hash(headers.count() - 1);
      peer.tip.height = Math.max(peer.tip.height, session.chain.recentHeightOf(last));
    } else if (peer.headersDone) {
      // It claimed more than it has to offer.
      peer.tip.height = Math.min(peer.tip.height, session.chain.height());
    }
  }

  /** Asks those that seem to be behind. */
  void look() {
    for (Peer peer : session.peers.values()) {
      Tip tip = peer.tip;
      int behind = session.chain.height() - tip.height;
      if (!peer.isReady() || tip.asked != null || behind < BEHIND) {
        tip.behindSince = null;
        continue;
      }
      if (tip.behindSince == null) {
        tip.behindSince = session.now;
      }
      if (behind >= FAR_BEHIND || !session.now.isBefore(tip.behindSince.plus(PATIENCE))) {
        ask(peer);
      }
    }
  }

  private void ask(Peer peer) {
    Hash256 hash = session.chain.hashAt(session.chain.height() - BEHIND + 1);
    peer.tip.asked = hash;
    // Without a locator this asks for the one header (Core, NetMsgType::GETHEADERS).
    session.send(peer, new Message.GetHeaders(List.of(), hash));
    peer.tip.ping = session.ping(peer);
  }

  /** A pong: if it is that behind our question, the peer has shown its header by now. */
  Refusal ponged(Peer peer, long nonce) {
    Tip tip = peer.tip;
    if (tip.asked == null || nonce != tip.ping) {
      return Refusal.NONE;
    }
    int asked = session.chain.recentHeightOf(tip.asked);
    tip.asked = null;
    if (tip.height >= asked) {
      // It has it, or a reorganisation took it from us too.
      return Refusal.NONE;
    }
    return new Refusal(
        DisconnectReason.STALE_TIP,
        "its chain ends at height "
            + tip.height
            + " or so, the others' at "
            + session.chain.height());
  }

  /** When somebody is to be asked, or null. */
  @Nullable Instant due() {
    Instant due = null;
    for (Peer peer : session.peers.values()) {
      Instant since = peer.tip.behindSince;
      if (since != null && (due == null || since.plus(PATIENCE).isBefore(due))) {
        due = since.plus(PATIENCE);
      }
    }
    return due;
  }
}
