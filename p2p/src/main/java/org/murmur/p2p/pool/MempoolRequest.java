package org.murmur.p2p.pool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.filters.FilterSession;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Question;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;

/**
 * One request for a peer's whole mempool (BIP-0035), between two pings. Its answer has no end mark.
 * A peer that announces something between the two pongs answers at once, and has announced
 * everything by the second one. Other peers spread their announcements over time.
 */
final class MempoolRequest {

  /** Maximum remembered announcements; others count as never announced. */
  static final int MAX_ANNOUNCED = 60_000;

  private enum Phase {
    SENT,
    /** The pong before the answer came. */
    OPEN,
    /** The pong after the answer came, whatever comes later. */
    CLOSED
  }

  private final Peer peer;
  private final Set<Hash256> announced = new HashSet<>();
  private Phase phase = Phase.SENT;
  private boolean cameAtOnce;
  private boolean truncated;

  private MempoolRequest(Peer peer) {
    this.peer = peer;
  }

  /** Sends a request; {@code closed} runs at the second pong. */
  static MempoolRequest send(Effects effects, Peer peer, Consumer<MempoolRequest> closed) {
    MempoolRequest request = new MempoolRequest(peer);
    effects.pingBehind(peer, Question.Kind.PING, 0, pong -> request.open());
    FilterSession.of(peer).askMempool(effects);
    effects.pingBehind(
        peer,
        Question.Kind.MEMPOOL,
        0,
        pong -> {
          request.phase = Phase.CLOSED;
          closed.accept(request);
          return Refusal.NONE;
        });
    return request;
  }

  private Refusal open() {
    if (phase == Phase.SENT) {
      phase = Phase.OPEN;
    }
    return Refusal.NONE;
  }

  Peer peer() {
    return peer;
  }

  boolean isClosed() {
    return phase == Phase.CLOSED;
  }

  /** Whether something came between the two pongs. */
  boolean cameAtOnce() {
    return cameAtOnce;
  }

  /** Whether the whole answer came before the second pong, as far as we can see. */
  boolean isPrompt() {
    return isClosed() && (cameAtOnce || peer.mempoolAtOnce());
  }

  /** Whether the peer announced more than we remember: what is absent here proves nothing. */
  boolean isTruncated() {
    return truncated;
  }

  /** The transactions announced since the request, with those of an earlier one that it repeats. */
  Set<Hash256> announced() {
    return announced;
  }

  /** Processes announcements; returns the txids that are new here. */
  List<Hash256> received(Message.Inv inv) {
    if (!isClosed() && inv.items().isEmpty()) {
      // Nothing matches, and the peer answers so at once.
      peer.answersMempoolAtOnce(true);
    }
    List<Hash256> news = new ArrayList<>();
    for (Hash256 txid : txids(inv)) {
      cameAtOnce |= phase == Phase.OPEN;
      truncated |= announced.size() >= MAX_ANNOUNCED;
      if (!truncated && announced.add(txid)) {
        news.add(txid);
      }
    }
    return news;
  }

  /** The transactions that a message announces. */
  static List<Hash256> txids(Message.Inv inv) {
    List<Hash256> txids = new ArrayList<>();
    for (InventoryItem item : inv.items()) {
      if (item.type() == InventoryItem.TX || item.type() == InventoryItem.WITNESS_TX) {
        txids.add(item.hash());
      }
    }
    return txids;
  }
}
