package org.murmur.p2p.machine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.ScanBook;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.dial.Dialer;
import org.murmur.p2p.dial.Finder;
import org.murmur.p2p.dial.Found;
import org.murmur.p2p.dial.Outage;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.filters.FilterCopy;
import org.murmur.p2p.filters.FilterSession;
import org.murmur.p2p.filters.TxCheck;
import org.murmur.p2p.headers.Birthdays;
import org.murmur.p2p.headers.ChainListener;
import org.murmur.p2p.headers.ClockCheck;
import org.murmur.p2p.headers.HeaderSync;
import org.murmur.p2p.headers.HeaderTalk;
import org.murmur.p2p.headers.Reach;
import org.murmur.p2p.headers.StaleTip;
import org.murmur.p2p.headers.TipWatch;
import org.murmur.p2p.peers.Budget;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Guards;
import org.murmur.p2p.peers.Hello;
import org.murmur.p2p.peers.Pace;
import org.murmur.p2p.peers.Patience;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.pool.GuardMempool;
import org.murmur.p2p.pool.MempoolQuery;
import org.murmur.p2p.pool.Pending;
import org.murmur.p2p.pool.PoolLink;
import org.murmur.p2p.pool.Relay;
import org.murmur.p2p.pool.UnconfirmedQuery;
import org.murmur.p2p.scan.BlockScan;
import org.murmur.p2p.scan.Depths;
import org.murmur.p2p.scan.GuardChoice;
import org.murmur.p2p.scan.GuardPlan;
import org.murmur.p2p.scan.ScanLink;
import org.murmur.p2p.scan.ScanPlan;
import org.murmur.p2p.scan.Scanned;
import org.murmur.p2p.scan.Settlement;
import org.murmur.p2p.scan.SharedPlan;
import org.murmur.p2p.scan.WholeBlocks;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Journal;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Machine;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.ServerCopy;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncStart;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.Message;
import org.murmur.p2p.wire.Services;

/**
 * The sync as a machine you can hold: {@link #step} takes what happened and the time, and returns
 * what to do.
 *
 * <p>It has no clock, no dice and no wires of its own, so every situation is a test that plays
 * messages in. Inside are small parts with one concern each, called in a written order: connections
 * ({@link Dialer}), headers ({@link HeaderSync}), blocks ({@link BlockScan}), unconfirmed
 * transactions ({@link Relay}, {@link MempoolQuery}), and the one road to disk ({@link Journal}).
 * At the end of every step {@link #settle} asks them in turn what there is to do next.
 *
 * <p>One thread at a time.
 */
public final class SyncMachine implements Machine {

  /** How it is told of a peer that connected and did not like our hello. */
  private static final String HUNG_UP = "closed the connection before saying hello";

  /** The first version that understands {@code sendheaders} (BIP-0130). */
  private static final int SENDHEADERS_VERSION = 70012;

  /** After this long without a word a peer is asked whether it is still there. */
  private static final Duration QUIET = Duration.ofSeconds(60);

  /** After this long away lines may have died: routers forget them, and peers hang up. */
  private static final Duration AWAY = Duration.ofSeconds(10);

  /** How soon a peer is to be heard after that. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(10);

  /** So many times the usual time to answer are for a whole block: 4 MB at 33 kB a second. */
  private static final int WHOLE_BLOCK = 4;

  /** Progress is told at most this often. */
  private static final Duration PROGRESS_PAUSE = Duration.ofMillis(200);

  private final SyncSettings settings;
  private final HeaderChain chain;
  private final WatchedLog log;
  private final Effects effects;
  private final Roster roster;
  private final Journal journal;
  private final Budget budget;
  private final @Nullable Guards guards;
  private final @Nullable GuardChoice choice;
  private final Dialer dialer;
  private final Finder finder;
  private final HeaderSync headers;
  private final TipWatch tips;
  private final StaleTip stale;
  private final Outage outage;
  private final Scanned scanned;
  private final WholeBlocks whole;
  private final Settlement settlement;
  private final Depths depths;
  private final BlockScan scan;
  private final ScanPlan plan;
  private final Pending pending = new Pending();
  private final Relay relay;
  private final UnconfirmedQuery mempool;
  // Who know something of blocks, in the order in which they hear that some left the chain.
  private final List<ChainListener> listeners;

  private boolean stopping;
  private boolean stopped;
  // How it was last said that all is seen.
  private @Nullable SyncEvent toldEnd;
  // What is to be said once all is on disk, in a session that was stopped when all was seen.
  private @Nullable SyncEvent unsaidEnd;
  // The batch that holds all there was when all was seen, and when the mempools were told; negative
  // before that. What comes meanwhile is not waited for: payments may come without end.
  private long seenBy = -1;
  private long overBy = -1;
  private @Nullable Hash256 underWitnessedTip;
  private SyncWarning.@Nullable MissingGuard toldRefusal;
  private Instant progressAt = Instant.EPOCH;
  private @Nullable Instant wakeAt;

  /**
   * Makes a machine at rest; the first {@link Input.Tick} sets it going.
   *
   * @param start what earlier commits put on disk
   * @param settings how the session is to be run
   */
  public SyncMachine(SyncStart start, SyncSettings settings) {
    this.settings = settings;
    this.chain = start.chain();
    this.log = new WatchedLog(start.log());
    this.effects = new Effects(settings.seed());
    this.roster = new Roster();
    this.journal = new Journal(chain);
    this.budget = new Budget(effects, settings, chain, roster);
    this.guards = settings.guarded().map(preset -> new Guards(preset, start.loads())).orElse(null);
    this.dialer =
        new Dialer(effects, settings, roster, journal, guards, start.peers(), start.addresses());
    this.finder = dialer.finder();

    this.headers = new HeaderSync(effects, settings, chain, roster, journal, budget);
    this.tips = new TipWatch(effects, chain, roster);
    this.stale = new StaleTip(effects, settings, chain, roster, start.network());
    this.outage = new Outage(effects, settings, roster, dialer);

    Birthdays birthdays = new Birthdays(effects, chain, journal, start);
    ScanBook book =
        new ScanBook(start.loads(), start.rows(), start.nextLoadId(), start.nextRowId());
    this.scanned = new Scanned(effects, roster, journal, birthdays, log, book, guards != null);
    this.whole = new WholeBlocks(effects);
    this.settlement =
        new Settlement(effects, settings, chain, roster, journal, scanned, whole, start);
    this.depths = new Depths(chain, roster, budget, whole);
    this.scan =
        new BlockScan(effects, settings, chain, roster, journal, scanned, settlement, depths);
    this.relay = new Relay(effects, settings, chain, roster, journal, log, guards);
    if (guards == null) {
      SharedPlan shared =
          new SharedPlan(
              effects,
              settings,
              chain,
              roster,
              journal,
              budget,
              headers,
              scanned,
              settlement,
              scan);
      this.plan = shared;
      this.mempool =
          new MempoolQuery(
              effects, settings, chain, roster, journal, log, settlement, pending, shared, relay);
      this.choice = null;
    } else {
      this.choice = new GuardChoice(effects, settings, roster, guards, dialer);
      GuardPlan guarded =
          new GuardPlan(
              effects, settings, chain, roster, journal, budget, headers, scanned, choice, scan);
      this.plan = guarded;
      GuardMempool asking =
          new GuardMempool(effects, settings, journal, pending, guarded, choice, relay);
      guarded.restsIn(asking::resting);
      this.mempool = asking;
    }
    this.listeners = List.of(scanned, settlement, pending, birthdays, plan::cutAbove);
  }

  @Override
  public boolean isStopped() {
    return stopped;
  }

  @Override
  public long mostToRead() {
    return settings.maxBytes() == 0 ? Long.MAX_VALUE : settings.maxBytes();
  }

  /**
   * Returns how much is kept in memory, for those who watch that it stays bounded.
   *
   * @return counts as of the last step
   */
  public Footprint footprint() {
    return Footprint.of(roster, journal, settlement, finder);
  }

  @Override
  public List<Output> step(Input input, Instant now) {
    if (input instanceof Input.TimeJumped jumped) {
      effects.timeJumped(jumped.by());
    }
    effects.setTime(now);
    if (!stopped) {
      take(input);
      if (scan.takeFound() && plan.findsAreUrgent()) {
        journal.hurry();
      }
      settle();
    }
    return effects.takeOutputs();
  }

  private void take(Input input) {
    if (input instanceof Input.ProxyFailed failed) {
      finder.proxyFailed(failed);
    } else if (input instanceof Input.Received) {
      finder.heard();
    }
    if (finder.take(input)) {
      // What is said to the finder is nothing to plan blocks for.
      if (!(input instanceof Input.Received)) {
        effects.changed();
      }
      return;
    }
    if (input instanceof Input.Received received) {
      Peer peer = roster.get(received.link().id());
      if (peer != null) {
        effects.received(received.wireBytes());
        peer.lastHeard = effects.now();
        int before = HeaderTalk.of(peer).served;
        Pace.of(peer).received(received.wireBytes());
        peer.patience.heard(received.wireBytes());
        received(peer, received.message(), received.wireBytes());
        if (HeaderTalk.of(peer).served > before) {
          int more = HeaderTalk.of(peer).served - before;
          effects.emit(new SyncEvent.HeadersServed(peer.link.address(), more));
        }
      }
      return;
    }
    if (input instanceof Input.HeadersComing coming) {
      Peer peer = roster.get(coming.link().id());
      if (peer != null && peer.isReady()) {
        headers.coming(peer, coming.headers());
      }
      return;
    }
    effects.changed();
    if (input instanceof Input.Committed committed) {
      journal.committed(committed.sequence());
      pending.committed(committed.pending());
      scan.committed(committed.sequence());
      relay.committed();
    } else if (input instanceof Input.WatchSetChanged changed) {
      changed.replaced().forEach(each -> log.replace(each.index(), each.element()));
      log.append(changed.from(), changed.added());
      settlement.logGrew();
    } else if (input instanceof Input.Connected connected) {
      Peer peer = roster.get(connected.link().id());
      if (peer != null && !isDuplicate(peer, connected.at())) {
        hello(peer);
      }
    } else if (input instanceof Input.ConnectFailed failed) {
      lost(failed.link(), failed.obstacle(), notConnected(failed));
    } else if (input instanceof Input.ProxyFailed failed) {
      lost(failed.link(), failed.obstacle(), failed.why());
    } else if (input instanceof Input.Disconnected disconnected) {
      disconnected(disconnected.link(), disconnected.why());
    } else if (input instanceof Input.Garbled garbled) {
      garbled(garbled);
    } else if (input instanceof Input.Oversized oversized) {
      dropFor(oversized.link(), DisconnectReason.OVERSIZED, oversized.why());
    } else if (input instanceof Input.Failed failed) {
      failed(failed.link(), failed.why());
    } else if (input instanceof Input.BroadcastTx broadcast) {
      relay.broadcast(broadcast.tx(), broadcast.fee());
    } else if (input instanceof Input.RescanFrom rescan) {
      rescan(rescan);
    } else if (input instanceof Input.LimitReached) {
      if (!stopping) {
        spent();
      }
    } else if (input instanceof Input.Stop) {
      end();
    } else if (input instanceof Input.TimeJumped jumped) {
      returned(jumped.by());
    } else if (input instanceof Input.Tick) {
      // It carries nothing: what is due is found in settle(). The shell has no other alarm set now.
      wakeAt = null;
    }
  }

  private void received(Peer peer, Message message, int wireBytes) {
    Refusal refusal = peer.conduct.heard(message, wireBytes, effects.now());
    if (refusal.isRefusal()) {
      drop(peer, refusal);
      return;
    }
    if (message instanceof Message.Version version) {
      welcome(peer, version);
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
      if (FilterSession.of(peer).copy != null) {
        FilterSession.of(peer).copy.tested(FilterCopy.MOST_IN_A_BLOCK);
      }
      refusal = scan.received(peer, block.merkleBlock());
      if (!refusal.isRefusal()) {
        peer.brings(Patience.Answer.PROGRESS, effects.now());
        refusal = BlockScan.pings(ScanLink.of(peer).chunks, peer.pings.keySet());
      }
    } else if (message instanceof Message.BlockMessage block) {
      refusal = received(peer, block);
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
      if (relay.received(peer, inv) && !HeaderTalk.of(peer).isAsked()) {
        headers.ask(peer);
      }
    } else if (message instanceof Message.GetData getData) {
      relay.received(peer, getData);
    } else if (message instanceof Message.NotFound notFound) {
      List<Hash256> asked = relay.received(peer, notFound);
      if (asked.isEmpty()) {
        refusal = peer.conduct.noise(wireBytes, effects.now());
      } else {
        peer.brings(Patience.Answer.NEWS, effects.now());
        mempool.notFound(peer, asked);
      }
    } else if (message instanceof Message.Addr told) {
      finder.told(peer, told.addresses());
    } else if (message instanceof Message.AddrV2 told) {
      finder.told(peer, told.addresses());
    } else if (message instanceof Message.FeeFilter filter) {
      relay.received(peer, filter);
    } else if (message instanceof Message.GetHeaders) {
      // We serve nothing, but silence could look like a stall to the other side.
      effects.send(peer, new Message.HeadersMessage(Headers.NONE));
    }
    // Everything else is no business of a client that asks for filtered blocks.
    if (refusal.isRefusal()) {
      drop(peer, refusal);
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
      peer.brings(ofBlock ? Patience.Answer.PROGRESS : Patience.Answer.NEWS, effects.now());
    }
    for (Peer other : roster.peers()) {
      if (other != peer && FilterSession.of(other).copy != null) {
        FilterSession.of(other).copy.seenElsewhere(tx);
      }
    }
    Refusal refusal = Refusal.NONE;
    // What is pending is asked for by name, as often as we like.
    if (!ofBlock && !(news && pending.txids().contains(tx.txid()))) {
      refusal = peer.conduct.handedOver(wireBytes, effects.now());
    }
    return refusal.isRefusal() || relay.isOurs(tx)
        ? refusal
        : TxCheck.sent(
            peer.conduct,
            tx,
            FilterSession.of(peer).copy,
            asked,
            PoolLink.of(peer).buildsOnUntaken(tx),
            log,
            effects.now());
  }

  private Refusal received(Peer peer, Message.BlockMessage message) {
    WholeBlocks.Outcome outcome = whole.received(peer, message);
    FullBlock block = outcome.block();
    if (block != null) {
      depths.learn(block);
      settlement.received(block);
      peer.brings(Patience.Answer.PROGRESS, effects.now());
    }
    return outcome.refusal();
  }

  private Refusal received(Peer peer, Headers batch) {
    Refusal refusal = Refusal.NONE;
    if (!HeaderTalk.of(peer).isAsked()) {
      mempool.moved(peer);
    }
    if (tips.isShown(peer, batch)) {
      HeaderTalk.of(peer).aheadAsked = false;
    } else {
      refusal = headers.received(peer, batch);
      followChain();
    }
    tips.received(peer, batch);
    followPeers();
    return refusal;
  }

  private Refusal ponged(Peer peer, long nonce, int wireBytes) {
    Instant sent = peer.pings.remove(nonce);
    if (sent == null) {
      return peer.conduct.noise(wireBytes, effects.now());
    }
    long millis = Duration.between(sent, effects.now()).toMillis();
    if (peer.latencyMillis < 0 || millis < peer.latencyMillis) {
      peer.latencyMillis = millis;
    }
    peer.brings(Patience.Answer.PROGRESS, effects.now());
    scan.ponged(peer, nonce);
    mempool.ponged(peer, nonce);
    Refusal withheld = depths.ponged(peer, nonce);
    if (whole.ponged(peer, nonce)) {
      settlement.notCome(peer);
    }
    Refusal stale = tips.ponged(peer, nonce);
    return withheld.isRefusal() ? withheld : stale;
  }

  /** Two names of one peer make no two witnesses. */
  private boolean isDuplicate(Peer peer, PeerAddress at) {
    for (Peer other : roster.peers()) {
      if (other != peer && at.equals(other.at)) {
        String detail = "the same peer as " + other.link.address() + ", both are at " + at;
        drop(peer, new Refusal(DisconnectReason.DUPLICATE, Obstacle.NO_OTHER, detail));
        return true;
      }
    }
    peer.at = at;
    return false;
  }

  private void hello(Peer peer) {
    peer.since = effects.now();
    // Core announces nothing, not even our own payment, to a peer whose version says relay=false.
    // No filter is loaded here, so asking for announcements tells nothing about the wallet.
    boolean relayed = settings.headersOnly() && relay.isSending();
    effects.send(peer, Hello.of(effects, peer.nonce, relayed));
  }

  private void welcome(Peer peer, Message.Version version) {
    if (peer.isReady()) {
      return;
    }
    for (Peer own : roster.peers()) {
      if (own.nonce == version.nonce()) {
        drop(peer, new Refusal(DisconnectReason.SELF, Obstacle.NO_OTHER, "connected to ourselves"));
        return;
      }
    }
    Endpoint found = peer.found;
    if (found != null) {
      if (!finder.admit(peer, found, version)) {
        roster.remove(peer.link.id());
        effects.send(peer, new Message.SendAddrV2());
        effects.send(peer, new Message.Verack());
        finder.letGo(peer, found);
        return;
      }
    } else if (!settings.headersOnly() && !Services.has(version.services(), Services.BLOOM)) {
      roster.remove(peer.link.id());
      effects.output(
          new Output.Disconnect(peer.link, DisconnectReason.NO_BLOOM, version.userAgent()));
      String why = version.userAgent() + " does not serve BIP-0037 (no NODE_BLOOM)";
      effects.emit(new SyncEvent.PeerLost(peer.link.address(), DisconnectReason.NO_BLOOM, why));
      dialer.lost(peer.link, Obstacle.NO_BLOOM, why, DisconnectReason.NO_BLOOM);
      return;
    }
    peer.version = version;
    HeaderTalk.of(peer).ahead = ClockCheck.ahead(version.time(), effects.now());
    Pace.of(peer).answered(Duration.between(peer.since, effects.now()));
    tips.claimed(peer, version.startHeight());
    effects.changed();
    peer.patience.begins(effects.now());
    finder.greet(peer);
    effects.send(peer, new Message.Verack());
    if (version.protocol() >= SENDHEADERS_VERSION) {
      effects.send(peer, new Message.SendHeaders());
    }
    headers.ask(peer);
    dialer.ready(peer);
    finder.ready(peer);
    relay.greet(peer);
    effects.emit(
        new SyncEvent.PeerReady(
            peer.link.address(), version.userAgent(), version.services(), version.startHeight()));
  }

  /** Who has not said hello may be no peer at all, and the next one there another. */
  private void garbled(Input.Garbled garbled) {
    Peer peer = roster.get(garbled.link().id());
    if (peer == null || peer.isReady()) {
      dropFor(garbled.link(), DisconnectReason.PROTOCOL_ERROR, garbled.why());
    } else {
      drop(peer, new Refusal(DisconnectReason.NO_NODE, garbled.obstacle(), garbled.why()));
    }
  }

  private void dropFor(Link link, DisconnectReason reason, String why) {
    Peer peer = roster.get(link.id());
    if (peer != null) {
      drop(peer, new Refusal(reason, peer.isReady() ? Obstacle.LOST : Obstacle.STRANGE, why));
    }
  }

  /** A row may stand for a block whose transactions the step did not come to. */
  private void failed(Link link, String why) {
    settlement.takeBack(link.address());
    effects.emit(new SyncEvent.Warning(new SyncWarning.InternalFault(link.address(), why)));
    dropFor(link, DisconnectReason.INTERNAL_ERROR, "internal error: " + why);
  }

  private void disconnected(Link link, String why) {
    Peer peer = roster.get(link.id());
    if (peer == null) {
      return;
    }
    String beforeHello = HUNG_UP + " (" + why + ")";
    if (peer.isReady()) {
      scan.refusedFrom(peer).ifPresent(from -> refused(peer, from));
      Obstacle answer = scan.hangUp(peer);
      lost(link, answer, why + BlockScan.afterQuestion(answer));
    } else if (!peer.objection.isEmpty()) {
      lost(link, Obstacle.LOST, peer.objection + " (" + why + ")");
    } else if (settings.proxied()) {
      // Some proxies say that a connection stands before they try.
      String perhaps = "; through a proxy that often means that it could not be reached";
      lost(link, Obstacle.HANGS_UP_BEHIND_PROXY, beforeHello + perhaps);
    } else {
      lost(link, Obstacle.HANGS_UP, beforeHello);
    }
  }

  /** It hung up on a question for blocks. */
  private void refused(Peer peer, int from) {
    if (peer.found == null) {
      dialer.refused(peer.link, from);
    }
  }

  private String notConnected(Input.ConnectFailed failed) {
    return settings.proxied() && failed.link().address().isLocal()
        ? failed.why()
            + " (for a proxy this is an address of its own machine or network, and Tor leads to"
            + " none of these)"
        : failed.why();
  }

  private void lost(Link link, Obstacle obstacle, String why) {
    Peer peer = roster.remove(link.id());
    if (peer == null) {
      return;
    }
    remember(peer, "");
    mempool.lost(peer);
    relay.lost(peer);
    headers.lost(peer);
    tellLost(peer, DisconnectReason.DONE, why);
    goes(peer, obstacle, why, DisconnectReason.DONE);
  }

  /** An address of many that nobody named, and where nobody is, is no news. */
  private void tellLost(Peer peer, DisconnectReason reason, String detail) {
    if (peer.found == null || peer.isReady() || reason.isMisbehaviour()) {
      effects.emit(new SyncEvent.PeerLost(peer.link.address(), reason, detail));
    }
  }

  private void goes(Peer peer, Obstacle obstacle, String why, DisconnectReason reason) {
    Endpoint found = peer.found;
    if (found != null) {
      Found.of(peer).useful = plan.wasUseful(peer);
      finder.lost(peer, found, obstacle, why, reason);
    } else {
      dialer.lost(peer.link, obstacle, why, reason);
    }
  }

  private void drop(Peer peer, DisconnectReason reason, String detail) {
    drop(peer, new Refusal(reason, detail));
  }

  private void drop(Peer peer, Refusal refusal) {
    DisconnectReason reason = refusal.reason();
    String detail = refusal.detail();
    effects.changed();
    roster.remove(peer.link.id());
    effects.output(new Output.Disconnect(peer.link, reason, detail));
    tellLost(peer, reason, detail);
    remember(peer, reason.isMisbehaviour() ? reason.name() : "");
    mempool.lost(peer);
    relay.lost(peer);
    headers.lost(peer);
    goes(peer, refusal.obstacle(), detail, reason);
  }

  private void remember(Peer peer, String misbehaviour) {
    Message.Version version = peer.version;
    if (version == null) {
      return;
    }
    if (peer.found == null) {
      if (plan.wasUseful(peer)) {
        dialer.useful(peer.link);
      }
      dialer.remember(peer);
    } else if (guards == null || !guards.isGuard(peer)) {
      // It has its place among the addresses, where there is an end to how many are kept.
      return;
    }
    journal.peer(
        new CommitBatch.PeerFacts(
            peer.link.address(),
            version.services(),
            version.userAgent(),
            version.startHeight(),
            peer.latencyMillis,
            effects.clock().getEpochSecond(),
            peer.mempoolAtOnce,
            misbehaviour),
        effects.now());
  }

  private void rescan(Input.RescanFrom rescan) {
    scanned.birthdays().lower(rescan.from());
    int from = rescan.from().resolve(chain).orElse(Integer.MAX_VALUE);
    if (from < Integer.MAX_VALUE) {
      plan.cutAbove(from - 1);
      effects.changed();
      settlement.forgetLooks(from - 1);
      scanned.voidFrom(from);
    }
  }

  /** Tells all parts that the chain moved. */
  private void followChain() {
    HeaderSync.Move move = headers.takeMove();
    if (move == null) {
      return;
    }
    if (move.isReorganisation()) {
      listeners.forEach(part -> part.reorganised(move.fork()));
    }
    // Blocks that a peer would not serve may be there now; who was without will tell.
    for (Peer peer : roster.peers()) {
      if (!Reach.of(peer).isLate()) {
        ScanLink.of(peer).askAgain(effects.now());
      }
    }
  }

  /** Asks those for blocks who are heard to have more of them. */
  private void followPeers() {
    for (TipWatch.Rise rise : tips.takeRisen()) {
      ScanLink.of(rise.peer()).rose(rise.late(), effects.now());
    }
  }

  /** The servers' copies that have grown since this was last asked. */
  private List<ServerCopy> grownCopies() {
    List<ServerCopy> grown = new ArrayList<>();
    for (Peer peer : roster.peers()) {
      FilterSession filter = FilterSession.of(peer);
      Load load = filter.load;
      FilterCopy copy = filter.copy;
      if (load != null && copy != null && copy.hasGrown()) {
        grown.add(copy.asOf(load.id()));
      }
    }
    return grown;
  }

  /** Whether a peer that said hello owes an answer, or waits for its filter to be recorded. */
  private boolean isSomethingOnItsWay() {
    for (Peer peer : roster.peers()) {
      if (FilterSession.of(peer).nextLoad != null || (peer.isReady() && peer.owes())) {
        return true;
      }
    }
    return false;
  }

  /** What there is to do now, asked of every part in this order. */
  private void settle() {
    if (!stopping) {
      expire();
      relay.advance();
      dialer.call();
      finder.plan(headers.areDone());
      despair();
      tips.apart(headers).forEach((peer, refusal) -> drop(peer, refusal));
      headers.plan().forEach((peer, refusal) -> drop(peer, refusal));
      settleDisagreements();
      depths.advance();
      // Before the plan: it forgets what a peer passed over when it asks again.
      letWithholdersGo();
      plan.plan();
      if (letPrunedGo()) {
        plan.plan();
      }
      tips.look();
      stale.look(headers);
      outage.look();
      finishIfComplete();
      if (!stopping && isHeldUp()) {
        spent();
      }
    }
    if (stopping) {
      stop();
    }
    CommitBatch batch = journal.take(effects.now(), this::grownCopies, finder::takeChanges);
    if (batch != null) {
      effects.output(new Output.Commit(batch));
    }
    if (!stopped) {
      progress();
      wake();
    }
  }

  private void letWithholdersGo() {
    for (Peer peer : List.copyOf(roster.peers())) {
      Refusal refusal = scan.patience(peer);
      if (refusal.isRefusal()) {
        drop(peer, refusal);
      }
    }
  }

  /**
   * Whether the limit of bytes alone keeps us from asking for what is missing. Who will say hello
   * before long may have it for less; what is being written may end what is looked for.
   */
  private boolean isHeldUp() {
    if (settings.maxBytes() == 0 || isSomethingOnItsWay()) {
      return false;
    }

    boolean heldUp =
        depths.heldUp().isPresent()
            || (!settings.headersOnly() && budget.holdsUpBlocks(plan.askable()))
            || (budget.holdsUpHeaders(headers.askable()) && !dialer.hasMore());
    if (heldUp) {
      journal.hurry();
    }
    return heldUp && journal.isClean();
  }

  /** The limit of bytes ends the session. */
  private void spent() {
    depths
        .heldUp()
        .ifPresent(
            doubt ->
                effects.emit(
                    new SyncEvent.Warning(
                        new SyncWarning.NoBytesForWholeBlock(doubt.block(), doubt.height()))));
    effects.emit(new SyncEvent.BudgetSpent());
    stopping = true;
  }

  /**
   * Disconnects pruned peers when blocks are needed that no peer has. The user's own node is asked
   * first: it disconnects if it does not serve them. Returns whether such a node is to be asked.
   */
  private boolean letPrunedGo() {
    boolean asksMore = false;
    for (Peer peer : List.copyOf(roster.peers())) {
      OptionalInt beyond =
          peer.isPruned() && peer.isReady() && !settings.headersOnly()
              ? plan.beyond(peer)
              : OptionalInt.empty();
      if (!beyond.isPresent() || dialer.hasMore()) {
        continue;
      }
      if (peer.isOwn()) {
        ScanLink.of(peer).mayKeepMore = true;
        asksMore = true;
        effects.changed();
      } else {
        drop(peer, BlockScan.keepsTooLittle(beyond.getAsInt()));
      }
    }
    return asksMore;
  }

  /** All is seen by those who are there; that is not as many as were wanted. */
  private void tooFewWitnesses(Hash256 tip) {
    if (underWitnessedTip == null || !tip.equals(underWitnessedTip)) {
      underWitnessedTip = tip;
      effects.emit(new SyncEvent.TooFewWitnesses(chain.height(), settings.verify(), plan.seenBy()));
    }
  }

  /** Somebody is missing who alone may be shown a filter. */
  private void withoutGuard(SyncWarning.MissingGuard refusal) {
    boolean met = choice != null && choice.haveMet();
    if (settings.follow() && (met || toldEnd != null)) {
      // It is called on and on, and may come back.
      if (!refusal.equals(toldRefusal)) {
        toldRefusal = refusal;
        effects.emit(new SyncEvent.Warning(refusal));
      }
      return;
    }
    effects.emit(new SyncEvent.NoUsablePeer(refusal));
    stopping = true;
  }

  /** Drops who left something out, and asks for the blocks that decide. */
  private void settleDisagreements() {
    List<Settlement.Conviction> convictions;
    do {
      settlement.advance(dialer.hasMore());
      convictions = settlement.takeConvictions();
      convictions.forEach(this::convict);
      // Who is gone cannot hand over what it was asked for: somebody else is asked at once.
    } while (!convictions.isEmpty());
    stopping |= settlement.isUnsettled();
  }

  private void convict(Settlement.Conviction conviction) {
    for (Peer peer : List.copyOf(roster.peers())) {
      if (peer.link.address().equals(conviction.peer())) {
        drop(peer, DisconnectReason.OMISSION, conviction.detail());
        return;
      }
    }
    effects.emit(
        new SyncEvent.PeerLost(conviction.peer(), DisconnectReason.OMISSION, conviction.detail()));
    dialer.shun(conviction.peer(), DisconnectReason.OMISSION);
    finder.shun(conviction.peer(), DisconnectReason.OMISSION);
  }

  /** Connections whose time is up. */
  private void expire() {
    for (Peer peer : new ArrayList<>(roster.peers())) {
      if (isDead(peer) || peer.doubtedSince != null) {
        continue;
      }
      // A whole block is not seen until all of it is here.
      boolean owes = peer.isReady() && peer.owes() && ScanLink.of(peer).wholeBlock == null;
      Refusal slow = peer.patience.pace(owes, effects.now());
      if (slow.isRefusal()) {
        drop(peer, slow);
        continue;
      }
      Instant deadline = deadline(peer);
      if (deadline == null || effects.now().isBefore(deadline)) {
        continue;
      }
      if (!peer.isReady()) {
        drop(peer, noHello(peer));
      } else if (peer.owes()) {
        drop(peer, nothingCame(peer));
      } else if (!peer.pings.isEmpty()) {
        drop(
            peer,
            silent(peer, DisconnectReason.PING_TIMEOUT),
            "no pong in " + seconds(settings.stallTimeout()));
      } else {
        effects.ping(peer);
      }
    }
  }

  private Refusal noHello(Peer peer) {
    Obstacle obstacle = Obstacle.NO_HELLO;
    String what = "no hello in ";
    if (peer.at == null) {
      obstacle = settings.proxied() ? Obstacle.BEYOND_PROXY : Obstacle.NO_CONNECTION;
      what = settings.proxied() ? "no connection through the proxy in " : "no connection in ";
    }
    return new Refusal(
        DisconnectReason.CONNECT_TIMEOUT, obstacle, what + seconds(settings.connectTimeout()));
  }

  private Refusal nothingCame(Peer peer) {
    String silence = headers.silence(peer);
    return new Refusal(
        silent(peer, DisconnectReason.STALLED),
        silence.isEmpty() ? Obstacle.LOST : Obstacle.NOT_SYNCED,
        "nothing came for " + seconds(patience(peer)) + silence);
  }

  /** Ends when nothing can be done any more. */
  private void despair() {
    SyncEvent.NoUsablePeer none = dialer.despair();
    if (none != null) {
      effects.emit(none);
      stopping = true;
    }
  }

  /** Somebody ends the session. Whoever sends something must know if nobody was there to get it. */
  private void end() {
    SyncEvent.NoUsablePeer none = relay.isSending() && !stopping ? dialer.nobodyYet() : null;
    if (none != null) {
      effects.emit(none);
    }
    if (!stopping && isAllCovered() && greetingDue() == null && plan.refusal() == null) {
      unsaidEnd = endAt(chain.hashAt(plan.height()));
    }
    stopping = true;
  }

  private boolean isAllCovered() {
    return isAllSeen() && (settings.headersOnly() || plan.isCovered());
  }

  /**
   * The clock was set, or this end was away. What was waited for goes on being waited for as long
   * as was left; lines may have died meanwhile, so everybody is asked for a sign of life.
   */
  private void returned(Duration away) {
    // The shell's alarm was set by the old time.
    wakeAt = null;
    if (away.compareTo(AWAY) < 0) {
      return;
    }
    dialer.hurry();
    finder.hurry();
    for (Peer peer : roster.peers()) {
      if (peer.isReady()) {
        effects.note(
            SyncEvent.Note.Topic.TIME,
            peer,
            "asked for a sign of life: this machine was away, or its clock was set ahead, by "
                + seconds(away));
        peer.doubtedSince = effects.now();
        effects.ping(peer);
        // What it announced meanwhile may be lost.
        headers.ask(peer);
      }
    }
  }

  /** Lets a peer go that gives no sign of life after this end was away; returns whether it did. */
  private boolean isDead(Peer peer) {
    Instant since = peer.doubtedSince;
    if (since == null) {
      return false;
    }
    if (peer.lastHeard.isAfter(since)) {
      // It is there, and owes what it owed before.
      peer.doubtedSince = null;
      peer.patience.begins(peer.lastHeard);
      return false;
    }
    if (effects.now().isBefore(since.plus(SIGN_OF_LIFE))) {
      return false;
    }
    drop(
        peer,
        DisconnectReason.LINE_DEAD,
        "no sign of life in " + seconds(SIGN_OF_LIFE) + " after this machine was away");
    return true;
  }

  /**
   * What a silent peer is let go for. While following, when all of them fall silent together, or
   * the only one does, it is the line that died and nobody's fault.
   */
  private DisconnectReason silent(Peer silent, DisconnectReason fault) {
    if (!settings.follow()) {
      return fault;
    }
    Instant heard = silent.lastHeard;
    for (Peer peer : roster.peers()) {
      heard = peer.lastHeard.isAfter(heard) ? peer.lastHeard : heard;
    }
    boolean somebody = heard.isAfter(effects.now().minus(settings.stallTimeout()));
    return somebody ? fault : DisconnectReason.LINE_DEAD;
  }

  /** How long it may owe something and bring nothing; a whole block has up to 4 MB. */
  private Duration patience(Peer peer) {
    int times = ScanLink.of(peer).wholeBlock == null ? 1 : WHOLE_BLOCK;
    return settings.stallTimeout().multipliedBy(times);
  }

  private static String seconds(Duration time) {
    return time.toMillis() / 1000 + " seconds";
  }

  private @Nullable Instant deadline(Peer peer) {
    if (!peer.isReady()) {
      return peer.since.plus(settings.connectTimeout());
    }
    Instant doubted = peer.doubtedSince;
    if (doubted != null) {
      return doubted.plus(SIGN_OF_LIFE);
    }
    if (ScanLink.of(peer).wholeBlock != null) {
      // Only what was asked for before it may come first: blocks, but no headers and pongs.
      Instant served = ScanLink.of(peer).servedAt;
      Instant asked = ScanLink.of(peer).wholeBlockSince;
      return (served.isAfter(asked) ? served : asked).plus(patience(peer));
    }
    if (peer.owes()) {
      return peer.patience.since().plus(patience(peer));
    }
    if (!peer.pings.isEmpty()) {
      Instant first = effects.now();
      for (Instant sent : peer.pings.values()) {
        first = sent.isBefore(first) ? sent : first;
      }
      // A pong comes behind all blocks that were asked for before its ping.
      Instant since =
          latest(first, latest(ScanLink.of(peer).servedAt, ScanLink.of(peer).wholeBlockAt));
      return since.plus(settings.stallTimeout());
    }
    return peer.lastHeard.plus(QUIET);
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isBefore(b) ? b : a;
  }

  private void finishIfComplete() {
    if (!isAllSeen()) {
      seenBy = -1;
      overBy = -1;
      return;
    }
    boolean covered = settings.headersOnly() || plan.isCovered();
    journal.hurry();
    seenBy = seenBy < 0 ? journal.holdingAll() : seenBy;
    if (!journal.isWritten(seenBy)) {
      return;
    }
    if (greetingDue() != null) {
      return;
    }
    Hash256 tip = chain.hashAt(plan.height());
    SyncWarning.MissingGuard refusal = covered ? null : plan.refusal();
    if (refusal != null) {
      withoutGuard(refusal);
      return;
    }
    if (covered && headers.hasSkippedClaims()) {
      // All is seen but what a peer claims to have beyond: that may be so.
      spent();
      return;
    }
    if (!covered) {
      tooFewWitnesses(tip);
    } else {
      complete(tip);
    }
    mempool.advance();
    // Guards are let go before what is missing is written: they must not see that anything is.
    if (!mempool.isOver() || settings.follow() || relay.isSending()) {
      return;
    }
    overBy = overBy < 0 ? journal.holdingAll() : overBy;
    stopping = guards != null || journal.isWritten(overBy);
  }

  /**
   * Until when those who were just called are waited for: they may know of higher blocks. Who
   * follows is told of those when they come, once it was told what there is.
   */
  private @Nullable Instant greetingDue() {
    boolean told = settings.follow() && toldEnd != null;
    return told ? null : dialer.greetingDue();
  }

  /** Whether these peers have no more to show than what is seen. */
  private boolean isAllSeen() {
    if (!headers.areDone() || tips.areAllApart() || finder.lacksScanner()) {
      return false;
    }
    boolean covered = settings.headersOnly() || plan.isCovered();
    if (!covered && (tips.isUndecided() || !plan.isExhausted() || dialer.hasMore())) {
      return false;
    }
    return settings.headersOnly() || settlement.spotChecked(dialer.hasMore());
  }

  /**
   * All that these peers have is seen; said once of a tip, and again if it was the clock's fault.
   */
  private void complete(Hash256 tip) {
    SyncEvent end = endAt(tip);
    if (end.equals(toldEnd)) {
      return;
    }
    toldEnd = end;
    progressAt = Instant.EPOCH;
    finder.warnOfOneGroup();
    effects.emit(end);
  }

  private SyncEvent endAt(Hash256 tip) {
    return ClockCheck.behind(effects, roster)
        .<SyncEvent>map(by -> new SyncEvent.ClockBehind(plan.height(), tip, by))
        .orElseGet(
            () ->
                stale.isOfLongAgo()
                    ? new SyncEvent.EndsLongAgo(plan.height(), tip)
                    : new SyncEvent.Complete(plan.height(), tip));
  }

  /** The last commit may have uncovered something: then there is nothing to be said. */
  private void sayEnd() {
    SyncEvent end = unsaidEnd;
    boolean covered = settings.headersOnly() || plan.isCovered();
    if (end != null && covered && !end.equals(toldEnd)) {
      toldEnd = end;
      effects.emit(end);
    }
  }

  private void stop() {
    settlement.abandon();
    if (!roster.isEmpty()) {
      for (Peer peer : roster.peers()) {
        remember(peer, "");
        String elsewhere = tips.elsewhere(peer);
        if (!elsewhere.isEmpty()) {
          // It was of no use, and whoever named it should know why.
          tellLost(peer, DisconnectReason.DONE, elsewhere);
        }
        effects.output(new Output.Disconnect(peer.link, DisconnectReason.DONE, elsewhere));
      }
      finder.stop();
      roster.clear();
    }
    journal.hurry();
    stopped = journal.isClean();
    if (stopped) {
      sayEnd();
    }
  }

  private void progress() {
    if (effects.now().isBefore(progressAt.plus(PROGRESS_PAUSE)) || roster.isEmpty()) {
      return;
    }
    progressAt = effects.now();
    int left = settings.headersOnly() ? 0 : Math.toIntExact(plan.left()) + scan.owed();
    effects.emit(
        new SyncEvent.Progress(
            chain.height(), headers.target(), scanned.blocks(), left, effects.bytesReceived()));
  }

  private void wake() {
    Instant next = earlier(null, dialer.nextCall());
    next = earlier(next, finder.due());
    next = earlier(next, greetingDue());
    next = earlier(next, journal.due());
    next = earlier(next, mempool.deadline());
    next = earlier(next, relay.due());
    next = earlier(next, headers.dueAt());
    next = earlier(next, headers.letInAt());
    next = earlier(next, scan.lookAgainAt());
    next = earlier(next, plan.overdueAt());
    next = earlier(next, tips.due());
    next = earlier(next, stale.due());
    next = earlier(next, outage.due());
    for (Peer peer : roster.peers()) {
      next = earlier(next, deadline(peer));
      next = earlier(next, peer.patience.paceDue());
    }
    if (next != null && !next.equals(wakeAt)) {
      wakeAt = next;
      effects.output(new Output.WakeAt(effects.onTheClock(next)));
    }
  }

  /**
   * The earlier of two times that lie ahead. What was due by now has been seen to in this step; if
   * it is still there it waits for something else, and must not stand before what comes after it.
   */
  private @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    if (b == null || !b.isAfter(effects.now())) {
      return a;
    }
    return a == null || b.isBefore(a) ? b : a;
  }
}
