package org.murmur.p2p.internal.machine;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.compact.CompactPlan;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.dial.Dialer;
import org.murmur.p2p.internal.headers.Change;
import org.murmur.p2p.internal.headers.ChangeListener;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.headers.TipWatch;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Patience;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
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
final class Inbox extends Part<PoolPeer> {

  private static final Message NOTHING = new Message.HeadersMessage(Headers.NONE);

  /** A client serves nobody, and asked for no blocks of another form. */
  private static final List<Class<? extends Message>> IGNORED =
      List.of(
          Message.Verack.class,
          Message.SendHeaders.class,
          Message.WtxidRelay.class,
          Message.SendAddrV2.class,
          Message.SendCmpct.class,
          Message.GetBlocks.class,
          Message.FilterLoad.class,
          Message.FilterAdd.class,
          Message.FilterClear.class,
          Message.Mempool.class,
          Message.GetAddr.class,
          Message.GetCFilters.class,
          Message.GetCFHeaders.class,
          Message.GetCFCheckpt.class,
          Message.Unknown.class);

  private static final List<Class<? extends Message>> OF_FILTERS =
      List.of(Message.CFilter.class, Message.CFHeaders.class, Message.CFCheckpt.class);

  private final WatchedLog log;
  private final Dialer dialer;
  private final HeaderSync headers;
  private final TipWatch tips;
  private final WholeBlocks whole;
  private final BlockScan scan;
  private final Relay relay;
  private final UnconfirmedQuery mempool;
  private final List<ChangeListener> listeners;
  private final Links links;
  // All kinds of messages; InboxTest looks for one that is missing.
  final Map<Class<?>, Action<Message>> actions = new HashMap<>();

  /** Handles the messages of one kind; returns why to drop the peer, or {@link Refusal#NONE}. */
  @FunctionalInterface
  interface Action<M extends Message> {
    Refusal take(PoolPeer peer, M message, int wireBytes);
  }

  Inbox(Parts parts, PresetParts preset, Links links) {
    super(parts);
    this.log = parts.log;
    this.dialer = parts.dialer;
    this.headers = parts.headers;
    this.tips = parts.tips;
    this.whole = parts.whole;
    this.scan = parts.scan;
    this.relay = parts.relay;
    this.mempool = preset.mempool();
    this.listeners = preset.listeners(parts);
    this.links = links;
    answer(
        Message.MerkleBlockMessage.class,
        (peer, it, bytes) -> scan.received(peer, it.merkleBlock()));
    answer(Message.BlockMessage.class, (peer, it, bytes) -> whole.received(peer, it));
    answer(Message.TxMessage.class, (peer, it, bytes) -> transaction(peer, it.tx(), bytes));
    answer(Message.HeadersMessage.class, (peer, it, bytes) -> headers(peer, it.headers()));
    CompactPlan filters = preset.filters();
    if (filters == null) {
      OF_FILTERS.forEach(
          kind -> answer(kind, (peer, it, bytes) -> peer.conduct().noise(bytes, effects.now())));
    } else {
      answer(Message.CFilter.class, (peer, it, bytes) -> filters.received(peer, it));
      answer(Message.CFHeaders.class, (peer, it, bytes) -> filters.received(peer, it));
      answer(Message.CFCheckpt.class, (peer, it, bytes) -> filters.received(peer, it));
    }
    answer(Message.Pong.class, this::pong);
    answer(Message.NotFound.class, this::notFound);
    news(Message.Inv.class, this::inv);
    news(Message.Addr.class, (peer, it) -> dialer.announced(peer, it.addresses()));
    news(Message.AddrV2.class, (peer, it) -> dialer.announced(peer, it.addresses()));
    news(Message.FeeFilter.class, relay::feeFilter);
    news(Message.GetData.class, relay::getData);
    // We serve nothing, but the other side could take silence for a stall.
    news(Message.GetHeaders.class, (peer, it) -> effects.send(peer, NOTHING));
    news(Message.Ping.class, (peer, it) -> effects.send(peer, new Message.Pong(it.nonce())));
    IGNORED.forEach(kind -> news(kind, (peer, it) -> {}));
  }

  /** Passes a possible answer to the part that sent the request. */
  private <M extends Message> void answer(Class<M> kind, Action<M> action) {
    actions.put(kind, (peer, message, bytes) -> action.take(peer, kind.cast(message), bytes));
  }

  /** Passes an unsolicited message to the part that handles it. */
  private <M extends Message> void news(Class<M> kind, BiConsumer<PoolPeer, M> action) {
    answer(
        kind,
        (peer, message, bytes) -> {
          action.accept(peer, message);
          return Refusal.NONE;
        });
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
      relay.reject(peer, reject);
    } else if (peer.isReady()) {
      return Objects.requireNonNull(actions.get(message.getClass())).take(peer, message, wireBytes);
    }
    return Refusal.NONE;
  }

  private void inv(PoolPeer peer, Message.Inv inv) {
    tips.heard(peer, inv);
    followPeers();
    mempool.inv(peer, inv);
    if (relay.inv(peer, inv) && !peer.headers().isAsked()) {
      headers.ask(peer);
    }
  }

  private Refusal notFound(PoolPeer peer, Message.NotFound notFound, int wireBytes) {
    List<Hash256> asked = relay.notFound(peer, notFound);
    if (asked.isEmpty()) {
      return peer.conduct().noise(wireBytes, effects.now());
    }
    peer.questions().earns(Patience.Answer.NEWS, effects.now());
    mempool.notFound(peer, asked);
    return Refusal.NONE;
  }

  /** Takes a transaction: of the block that is arriving, or an unconfirmed one. */
  private Refusal transaction(PoolPeer peer, Tx received, int wireBytes) {
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
    PoolLink.Cause cause = ofBlock ? PoolLink.Cause.ANNOUNCED : relay.transaction(peer, received);
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

  private Refusal headers(PoolPeer peer, Headers batch) {
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
  private Refusal pong(PoolPeer peer, Message.Pong pong, int wireBytes) {
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
