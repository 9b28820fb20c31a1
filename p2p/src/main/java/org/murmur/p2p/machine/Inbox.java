package org.murmur.p2p.machine;

import java.time.Duration;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.dial.Dialer;
import org.murmur.p2p.filters.FilterSession;
import org.murmur.p2p.filters.TxCheck;
import org.murmur.p2p.headers.Change;
import org.murmur.p2p.headers.ChangeListener;
import org.murmur.p2p.headers.HeaderLink;
import org.murmur.p2p.headers.HeaderSync;
import org.murmur.p2p.headers.Reach;
import org.murmur.p2p.headers.TipWatch;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Pace;
import org.murmur.p2p.peers.Patience;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Question;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.pool.Pending;
import org.murmur.p2p.pool.PoolLink;
import org.murmur.p2p.pool.Relay;
import org.murmur.p2p.pool.UnconfirmedQuery;
import org.murmur.p2p.scan.BlockScan;
import org.murmur.p2p.scan.ScanLink;
import org.murmur.p2p.scan.WholeBlocks;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.Message;

/** Hands the messages of peers to the parts that they concern. */
final class Inbox {

  private final WatchedLog log;
  private final Effects effects;
  private final Roster roster;
  private final Dialer dialer;
  private final HeaderSync headers;
  private final TipWatch tips;
  private final WholeBlocks whole;
  private final BlockScan scan;
  private final Pending pending;
  private final Relay relay;
  private final UnconfirmedQuery mempool;
  private final List<ChangeListener> listeners;
  private final Links links;

  Inbox(Parts parts, Preset preset, Links links) {
    this.log = parts.log;
    this.effects = parts.effects;
    this.roster = parts.roster;
    this.dialer = parts.dialer;
    this.headers = parts.headers;
    this.tips = parts.tips;
    this.whole = parts.whole;
    this.scan = parts.scan;
    this.pending = parts.pending;
    this.relay = parts.relay;
    this.mempool = preset.mempool();
    this.listeners = preset.listeners(parts);
    this.links = links;
  }

  /** A peer says something. */
  void received(Input.Received received) {
    Peer peer = roster.get(received.link().id());
    if (peer == null) {
      return;
    }
    effects.received(received.wireBytes());
    peer.heard(effects.now());
    int before = HeaderLink.of(peer).served();
    Pace.of(peer).received(received.wireBytes());
    peer.patience().heard(received.wireBytes());
    received(peer, received.message(), received.wireBytes());
    if (HeaderLink.of(peer).served() > before) {
      int more = HeaderLink.of(peer).served() - before;
      effects.emit(new SyncEvent.HeadersServed(peer.link().address(), more));
    }
  }

  /** Headers begin to come: a long message, of which a part is here. */
  void headersComing(Input.HeadersComing coming) {
    Peer peer = roster.get(coming.link().id());
    if (peer != null && peer.isReady()) {
      headers.coming(peer, coming.headers());
    }
  }

  private void received(Peer peer, Message message, int wireBytes) {
    Refusal refusal = peer.conduct().heard(message, wireBytes, effects.now());
    if (refusal.isRefusal()) {
      links.drop(peer, refusal);
      return;
    }
    if (message instanceof Message.Version version) {
      links.welcome(peer, version);
      return;
    }
    if (message instanceof Message.Reject reject) {
      // Also before it says hello: of our own hello, say.
      relay.received(peer, reject);
      return;
    }
    if (!peer.isReady()) {
      return;
    }
    if (message instanceof Message.MerkleBlockMessage block) {
      refusal = scan.received(peer, block.merkleBlock());
    } else if (message instanceof Message.BlockMessage block) {
      refusal = whole.received(peer, block);
    } else if (message instanceof Message.TxMessage tx) {
      // No txid covers witness data: it may be anything, and would be kept for good.
      refusal = received(peer, tx.tx().withoutWitness(), wireBytes);
    } else if (message instanceof Message.HeadersMessage batch) {
      refusal = received(peer, batch.headers());
    } else if (message instanceof Message.Ping ping) {
      effects.send(peer, new Message.Pong(ping.nonce()));
    } else if (message instanceof Message.Pong pong) {
      refusal = ponged(peer, pong.nonce(), wireBytes);
    } else if (message instanceof Message.Inv inv) {
      tips.heard(peer, inv);
      followPeers();
      mempool.inv(peer, inv);
      if (relay.received(peer, inv) && !HeaderLink.of(peer).isAsked()) {
        headers.ask(peer);
      }
    } else if (message instanceof Message.GetData getData) {
      relay.received(peer, getData);
    } else if (message instanceof Message.NotFound notFound) {
      List<Hash256> asked = relay.received(peer, notFound);
      if (asked.isEmpty()) {
        refusal = peer.conduct().noise(wireBytes, effects.now());
      } else {
        peer.questions().earns(Patience.Answer.NEWS, effects.now());
        mempool.notFound(peer, asked);
      }
    } else if (message instanceof Message.Addr told) {
      dialer.announced(peer, told.addresses());
    } else if (message instanceof Message.AddrV2 told) {
      dialer.announced(peer, told.addresses());
    } else if (message instanceof Message.FeeFilter filter) {
      relay.received(peer, filter);
    } else if (message instanceof Message.GetHeaders) {
      // We serve nothing, but silence could look like a stall to the other side.
      effects.send(peer, new Message.HeadersMessage(Headers.NONE));
    }
    // Everything else is no business of a client that asks for filtered blocks.
    if (refusal.isRefusal()) {
      links.drop(peer, refusal);
    }
  }

  /** Every transaction that a peer sends by itself comes in here: of a block, or news. */
  private Refusal received(Peer peer, Tx tx, int wireBytes) {
    if (!tx.hasValuesInRange()) {
      // No valid chain has it and no node relays it. If it is proven, that block is invalid however
      // much work it has: the block stays unscanned, so nothing is complete above it.
      return new Refusal(
          DisconnectReason.INVALID_TRANSACTION,
          "transaction " + tx.txid() + " pays values that no valid block can hold");
    }
    boolean ofBlock = scan.received(peer, tx);
    boolean news = !ofBlock && relay.received(peer, tx);
    if (news) {
      mempool.served(peer, tx.txid());
    }
    boolean asked = ofBlock || news;
    if (asked) {
      peer.questions()
          .earns(ofBlock ? Patience.Answer.PROGRESS : Patience.Answer.NEWS, effects.now());
    }
    for (Peer other : roster.peers()) {
      if (other != peer) {
        FilterSession.of(other).seenElsewhere(tx);
      }
    }
    Refusal refusal = Refusal.NONE;
    // What is pending is asked for by name, as often as we like.
    if (!ofBlock && !(news && pending.txids().contains(tx.txid()))) {
      refusal = peer.conduct().handedOver(wireBytes, effects.now());
    }
    return refusal.isRefusal() || relay.isOurs(tx)
        ? refusal
        : TxCheck.sent(
            peer.conduct(),
            tx,
            FilterSession.of(peer).copy(),
            asked,
            PoolLink.of(peer).buildsOnUntaken(tx),
            log,
            effects.now());
  }

  private Refusal received(Peer peer, Headers batch) {
    Refusal refusal = Refusal.NONE;
    if (!HeaderLink.of(peer).isAsked()) {
      mempool.moved(peer);
    }
    if (tips.isShown(peer, batch)) {
      HeaderLink.of(peer).passOver();
    } else {
      refusal = headers.received(peer, batch);
      followChain();
    }
    tips.received(peer, batch);
    followPeers();
    return refusal;
  }

  private Refusal ponged(Peer peer, long nonce, int wireBytes) {
    Question question = peer.questions().behind(nonce);
    if (question == null) {
      return peer.conduct().noise(wireBytes, effects.now());
    }
    peer.measured(Duration.between(question.askedAt(), effects.now()));
    peer.questions().earns(Patience.Answer.PROGRESS, effects.now());
    return peer.questions().close(question);
  }

  /** Hands on what headers have changed, also if taking them in failed half-way. */
  void follow() {
    followChain();
    followPeers();
  }

  /** Tells all parts that the chain moved. */
  private void followChain() {
    HeaderSync.Move move = headers.takeMove();
    if (move == null) {
      return;
    }
    if (move.isReorganisation()) {
      hear(new Change.Reorganised(move.fork()));
    }
    // Blocks that a peer would not serve may be there now; who was without will tell.
    for (Peer peer : roster.peers()) {
      if (!Reach.of(peer).isLate()) {
        ScanLink.of(peer).askAgain(effects.now());
      }
    }
  }

  /** Hands a change to every part that has to look again. */
  void hear(Change change) {
    listeners.forEach(part -> part.hear(change));
  }

  /** Asks those for blocks who are heard to have more of them. */
  private void followPeers() {
    for (TipWatch.Rise rise : tips.takeRisen()) {
      ScanLink.of(rise.peer()).rose(rise.late(), effects.now());
    }
  }
}
