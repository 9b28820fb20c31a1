package org.murmur.p2p.internal.machine;

import java.time.Duration;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.dial.Dialer;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.ChangeListener;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.headers.TipWatch;
import org.murmur.p2p.internal.peers.Effects;
import org.murmur.p2p.internal.peers.Patience;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.peers.Roster;
import org.murmur.p2p.internal.pool.PoolLink;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.internal.pool.Relay;
import org.murmur.p2p.internal.pool.UnconfirmedQuery;
import org.murmur.p2p.internal.scan.BlockScan;
import org.murmur.p2p.internal.scan.TxCheck;
import org.murmur.p2p.internal.scan.WholeBlocks;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncFact;

/** Passes the messages of peers to the parts that handle them. */
final class Inbox {

  private final WatchedLog log;
  private final Effects effects;
  private final Roster<PoolPeer> roster;
  private final Dialer dialer;
  private final HeaderSync headers;
  private final TipWatch tips;
  private final WholeBlocks whole;
  private final BlockScan scan;
  private final Relay relay;
  private final UnconfirmedQuery mempool;
  private final List<ChangeListener> listeners;
  private final Links links;

  Inbox(Parts parts, PresetParts preset, Links links) {
    this.log = parts.log;
    this.effects = parts.effects;
    this.roster = parts.roster;
    this.dialer = parts.dialer;
    this.headers = parts.headers;
    this.tips = parts.tips;
    this.whole = parts.whole;
    this.scan = parts.scan;
    this.relay = parts.relay;
    this.mempool = preset.mempool();
    this.listeners = preset.listeners(parts);
    this.links = links;
  }

  /** Takes a message of a peer. */
  void received(Input.Received received) {
    PoolPeer peer = roster.get(received.link().id());
    if (peer == null) {
      return;
    }
    int wireBytes = received.wireBytes();
    effects.received(wireBytes);
    peer.heard(effects.now());
    peer.pace().received(wireBytes);
    peer.patience().heard(wireBytes);
    int before = peer.headers().served();
    Refusal refusal = counted(peer, received.message(), wireBytes);
    if (!refusal.isRefusal()) {
      refusal = take(peer, received.message(), wireBytes);
    }
    if (!refusal.isRefusal()) {
      refusal = peer.conduct().answered(effects.now());
    }
    if (refusal.isRefusal()) {
      links.drop(peer, refusal);
    }
    int served = peer.headers().served() - before;
    if (served > 0) {
      effects.emit(new SyncFact.HeadersServed(peer.link().address(), served));
    }
  }

  private Refusal counted(PoolPeer peer, Message message, int wireBytes) {
    return peer.isReady()
        ? peer.conduct().heard(message, wireBytes, effects.now())
        : peer.conduct().heardEarly(message, wireBytes, effects.now());
  }

  /** A headers message is arriving; part of this long message is here. */
  void headersComing(Input.HeadersComing coming) {
    PoolPeer peer = roster.get(coming.link().id());
    if (peer != null && peer.isReady()) {
      headers.coming(peer, coming.headers());
    }
  }

  private Refusal take(PoolPeer peer, Message message, int wireBytes) {
    if (message instanceof Message.Version version) {
      links.welcome(peer, version);
    } else if (message instanceof Message.Reject reject) {
      // Also during the version handshake: it may reject our version message.
      relay.received(peer, reject);
    } else if (peer.isReady()) {
      Refusal refusal = takeAnswer(peer, message, wireBytes);
      if (refusal.isRefusal()) {
        return refusal;
      }
      takeNews(peer, message);
    }
    return Refusal.NONE;
  }

  /** Passes a possible answer to the part that sent the request. */
  private Refusal takeAnswer(PoolPeer peer, Message message, int wireBytes) {
    if (message instanceof Message.MerkleBlockMessage block) {
      return scan.received(peer, block.merkleBlock());
    }
    if (message instanceof Message.BlockMessage block) {
      return whole.received(peer, block);
    }
    if (message instanceof Message.TxMessage tx) {
      return received(peer, tx.tx(), wireBytes);
    }
    if (message instanceof Message.HeadersMessage batch) {
      return received(peer, batch.headers());
    }
    if (message instanceof Message.Pong pong) {
      return received(peer, pong, wireBytes);
    }
    if (message instanceof Message.NotFound notFound) {
      return received(peer, notFound, wireBytes);
    }
    return Refusal.NONE;
  }

  /**
   * Passes an unsolicited message to the part that handles it. A client of filtered blocks ignores
   * the others.
   */
  private void takeNews(PoolPeer peer, Message message) {
    if (message instanceof Message.Inv inv) {
      received(peer, inv);
    } else if (message instanceof Message.Addr addr) {
      dialer.announced(peer, addr.addresses());
    } else if (message instanceof Message.AddrV2 addr) {
      dialer.announced(peer, addr.addresses());
    } else if (message instanceof Message.FeeFilter filter) {
      relay.received(peer, filter);
    } else if (message instanceof Message.GetData getData) {
      relay.received(peer, getData);
    } else if (message instanceof Message.GetHeaders) {
      // We serve nothing, but the other side could take silence for a stall.
      effects.send(peer, new Message.HeadersMessage(Headers.NONE));
    } else if (message instanceof Message.Ping ping) {
      effects.send(peer, new Message.Pong(ping.nonce()));
    }
  }

  private void received(PoolPeer peer, Message.Inv inv) {
    tips.heard(peer, inv);
    followPeers();
    mempool.inv(peer, inv);
    if (relay.received(peer, inv) && !peer.headers().isAsked()) {
      headers.ask(peer);
    }
  }

  private Refusal received(PoolPeer peer, Message.NotFound notFound, int wireBytes) {
    List<Hash256> asked = relay.received(peer, notFound);
    if (asked.isEmpty()) {
      return peer.conduct().noise(wireBytes, effects.now());
    }
    peer.questions().earns(Patience.Answer.NEWS, effects.now());
    mempool.notFound(peer, asked);
    return Refusal.NONE;
  }

  /** Takes a transaction: of the block that is arriving, or an unconfirmed one. */
  private Refusal received(PoolPeer peer, Tx received, int wireBytes) {
    // The txid does not cover witness data: it could be anything. Only the wallet checks it.
    Tx tx = received.withoutWitness();
    String flaw =
        tx.flaw().map(Tx.Flaw::words).orElse(scan.misplaces(peer, tx) ? BlockScan.MISPLACED : "");
    if (!flaw.isEmpty()) {
      // No valid chain contains it and no node relays it. If it is proven, its block is invalid
      // whatever its work: the block stays unscanned, so nothing is complete above it.
      return new Refusal(
          DisconnectReason.INVALID_TRANSACTION,
          "transaction " + tx.txid() + " " + flaw + ": no valid block can hold it");
    }
    boolean ofBlock = scan.received(peer, tx);
    PoolLink.Cause cause = ofBlock ? PoolLink.Cause.ANNOUNCED : relay.received(peer, received);
    boolean asked = cause != PoolLink.Cause.PUSHED;
    if (asked && !ofBlock) {
      mempool.served(peer, tx.txid());
    }
    if (asked) {
      Patience.Answer answer = ofBlock ? Patience.Answer.PROGRESS : Patience.Answer.NEWS;
      peer.questions().earns(answer, effects.now());
    }
    for (PoolPeer other : roster.peers()) {
      if (other != peer) {
        other.filter().sentByOther(tx);
      }
    }
    // From here on, whose transaction it is does not matter: the peer would see it by our answer.
    Refusal refusal = Refusal.NONE;
    if (!ofBlock && cause != PoolLink.Cause.NAMED) {
      refusal = peer.conduct().handedOver(wireBytes, effects.now());
    }
    return refusal.isRefusal() ? refusal : check(peer, tx, cause);
  }

  /** Refuses a peer that sends too much that its filter cannot match. */
  private Refusal check(PoolPeer peer, Tx tx, PoolLink.Cause cause) {
    if (cause == PoolLink.Cause.NAMED) {
      // Any peer may have it, whatever its filter. The server's filter may have grown by it.
      peer.filter().sentByOther(tx);
      return Refusal.NONE;
    }
    return TxCheck.sent(
        peer.conduct(),
        tx,
        peer.filter().copy(),
        cause != PoolLink.Cause.PUSHED,
        peer.pool().buildsOnUntaken(tx),
        log,
        effects.now());
  }

  private Refusal received(PoolPeer peer, Headers batch) {
    Refusal refusal = Refusal.NONE;
    if (!peer.headers().isAsked()) {
      mempool.moved(peer);
    }
    if (tips.isShown(peer, batch)) {
      peer.headers().passOver();
    } else {
      refusal = headers.received(peer, batch);
      followChain();
    }
    tips.received(peer, batch);
    followPeers();
    return refusal;
  }

  /** Closes the request that was sent before this pong's ping. */
  private Refusal received(PoolPeer peer, Message.Pong pong, int wireBytes) {
    Question question = peer.questions().behind(pong.nonce());
    if (question == null) {
      return peer.conduct().noise(wireBytes, effects.now());
    }
    peer.measured(Duration.between(question.askedAt(), effects.now()));
    peer.questions().earns(Patience.Answer.PROGRESS, effects.now());
    return peer.questions().close(question);
  }

  /**
   * Announces how headers changed the chain to the other parts, even if processing them failed
   * halfway.
   */
  void follow() {
    followChain();
    followPeers();
  }

  /** Announces a changed chain to all parts. */
  private void followChain() {
    HeaderSync.Move move = headers.takeMove();
    if (move == null) {
      return;
    }
    if (move.isReorganisation()) {
      hear(new Change.Reorganised(move.fork()));
    }
    // A peer may now have the blocks that it skipped; a late peer announces them.
    for (PoolPeer peer : roster.peers()) {
      if (!peer.reach().isLate()) {
        peer.scan().askAgain(effects.now());
      }
    }
  }

  /** Passes a change to every part that has to check again. */
  void hear(Change change) {
    listeners.forEach(part -> part.hear(change));
  }

  /** Requests blocks from peers that showed they have them. */
  private void followPeers() {
    for (TipWatch.Rise rise : tips.takeRisen()) {
      PoolPeer peer = roster.get(rise.link());
      if (peer != null) {
        peer.scan().rose(rise.late(), effects.now());
      }
    }
  }
}
