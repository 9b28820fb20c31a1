package org.murmur.p2p.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.filters.FilterSession;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.scan.ScanLink;
import org.murmur.p2p.scan.Scanners;
import org.murmur.p2p.scan.SharedFilters;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.wire.Message;

/**
 * Unconfirmed transactions, requested once every outpoint is loaded (BIP-0035), from more than one
 * peer if there are several. While following, it also tracks pending transactions.
 *
 * <p>A peer that answers at once sends its {@code inv} between two pings ({@link MempoolRequest}).
 * Others spread it over half a minute, so only the clock decides. A peer that answers at once twice
 * is remembered, and its silence is then believed, until it announces something that it had denied.
 *
 * <p>{@link MissingTransactions} decides about pending transactions that peers no longer have. They
 * are requested by name after a complete answer that lacks them, at every new tip, and at
 * intervals. A one-off sync without a complete answer makes one such request before it ends.
 */
public final class MempoolQuery implements UnconfirmedQuery {

  private enum Stage {
    WAITING,
    ASKED,
    OVER
  }

  /** Peers to query. One may be on a fork or omit something; a third adds nothing. */
  static final int MAX_ASKED = 2;

  /** A payment found in the mempool can extend the look-ahead; that ends after a few rounds. */
  private static final int MAX_ROUNDS = 5;

  /** Lost peers that may come back; the first lost are evicted. */
  private static final int MAX_LOST = 200;

  private final Effects effects;
  private final SyncSettings settings;
  private final HeaderChain chain;
  private final Journal journal;
  private final WatchedLog log;
  private final Scanners scanners;
  private final Pending pending;
  private final SharedFilters filters;
  private final Relay relay;
  // By link.
  private final Map<Integer, PeerPool> pools = new LinkedHashMap<>();
  private final MissingTransactions missing;
  // The last peers lost in this session.
  private final Set<PeerAddress> lost = new LinkedHashSet<>();
  private Stage stage = Stage.WAITING;
  // Of the first answers; in a one-off sync it includes the time to update the filters before.
  private @Nullable Instant deadline;
  // After one peer's complete answer: how long the others are waited for.
  private @Nullable Instant opinionUntil;

  public MempoolQuery(
      Effects effects,
      SyncSettings settings,
      HeaderChain chain,
      Journal journal,
      WatchedLog log,
      Scanners scanners,
      Pending pending,
      SharedFilters filters,
      Relay relay) {
    this.effects = effects;
    this.settings = settings;
    this.chain = chain;
    this.journal = journal;
    this.log = log;
    this.scanners = scanners;
    this.pending = pending;
    this.filters = filters;
    this.relay = relay;
    this.missing = new MissingTransactions(effects, journal, pending, relay, pools.values());
  }

  private PeerPool.Moment moment() {
    return new PeerPool.Moment(effects.now(), chain.tip(), log.lastScript());
  }

  @Override
  public boolean isOver() {
    return stage == Stage.OVER;
  }

  @Override
  public @Nullable Instant deadline() {
    if (!settings.follow()) {
      return isOver() ? null : firstDeadline();
    }
    return switch (stage) {
      case WAITING -> null;
      case ASKED -> firstDeadline();
      case OVER -> nextCheck();
    };
  }

  private @Nullable Instant firstDeadline() {
    return sooner(sooner(deadline, opinionUntil), missing.lastUntil());
  }

  private @Nullable Instant nextCheck() {
    Instant next = null;
    boolean any = !missing.sought().isEmpty();
    for (PeerPool pool : pools.values()) {
      next = sooner(sooner(next, pool.again()), any ? pool.lookAt() : null);
    }
    return next;
  }

  /** The sooner of two times, if it lies ahead. */
  private @Nullable Instant sooner(@Nullable Instant a, @Nullable Instant b) {
    if (b == null || !b.isAfter(effects.now())) {
      return a;
    }
    return a == null || !a.isAfter(effects.now()) || b.isBefore(a) ? b : a;
  }

  private boolean isPast(@Nullable Instant time) {
    return time != null && !effects.now().isBefore(time);
  }

  @Override
  public boolean advance() {
    boolean skip = settings.mempoolWait().isZero();
    if (skip && !isOver()) {
      finish(SyncEvent.MempoolAnswered.Answer.SKIPPED);
    }
    if (isOver() && !settings.follow()) {
      return false;
    }
    attend(skip);
    if (stage == Stage.WAITING && !settings.follow()) {
      awaitFilters();
    }
    if (stage == Stage.ASKED) {
      conclude();
      if (isOver() && settings.follow()) {
        // At once: otherwise nothing may happen for a minute.
        attend(skip);
      }
    }
    return false;
  }

  private void awaitFilters() {
    if (deadline == null) {
      deadline = effects.now().plus(settings.mempoolWait());
    } else if (isPast(deadline)) {
      // New announcements have inputs to watch, so no filter ever holds all.
      finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
    }
  }

  private void attend(boolean skip) {
    for (Peer peer : chosen()) {
      attend(peer, skip);
    }
  }

  /** The best peers to query. */
  private List<Peer> chosen() {
    List<Peer> fit = scanners.trusted();
    fit.sort(
        Comparator.comparing((Peer peer) -> ScanLink.of(peer).isOverdue())
            .thenComparingInt((Peer peer) -> ScanLink.of(peer).refusals()));
    while (fit.size() > 1
        && (fit.size() > MAX_ASKED || ScanLink.of(fit.get(fit.size() - 1)).isOverdue())) {
      fit.remove(fit.size() - 1);
    }
    return fit;
  }

  /**
   * From now on the peer announces new transactions that match its filter: keep everything in it.
   * After a new peer or new scripts, the earlier ones have to be requested again.
   */
  private void attend(Peer peer, boolean skip) {
    if (FilterSession.of(peer).isRecording()) {
      return;
    }
    if (!filters.holdsEverything(peer)) {
      filters.refresh(peer);
      return;
    }
    if (skip) {
      return;
    }
    PeerPool pool = pools.get(peer.link().id());
    if (pool == null) {
      ask(peer, null);
    } else if (!pool.isAsking()) {
      attend(pool);
    }
  }

  private void attend(PeerPool pool) {
    boolean scripts = pool.lacksScripts(moment());
    if (!isOver()) {
      if (scripts && pool.requests() < MAX_ROUNDS) {
        ask(pool.peer, pool);
      }
    } else if (scripts || isPast(pool.again())) {
      ask(pool.peer, pool);
    } else if (pool.isLookDue(moment())) {
      look(pool);
    }
  }

  /** Requests the whole mempool of a peer, which has no pool before the first request. */
  private void ask(Peer peer, @Nullable PeerPool pool) {
    effects.note(SyncEvent.Note.Topic.UNCONFIRMED, peer, "asked what is unconfirmed there");
    MempoolRequest request = send(peer);
    if (pool == null) {
      boolean returned = lost.contains(peer.link().address());
      pools.put(peer.link().id(), new PeerPool(peer, returned, moment(), request));
    } else {
      pool.asked(moment(), request);
    }
    opinionUntil = null;
    if (stage == Stage.WAITING) {
      stage = Stage.ASKED;
      if (deadline == null || settings.follow()) {
        deadline = effects.now().plus(settings.mempoolWait());
      }
    }
  }

  private MempoolRequest send(Peer peer) {
    return MempoolRequest.send(effects, peer, request -> closed(peer));
  }

  /** Requests pending and missing transactions by name. */
  private void look(PeerPool pool) {
    pool.looked(moment());
    Set<Hash256> all = missing.sought();
    all.removeAll(PoolLink.of(pool.peer).wanted());
    if (!all.isEmpty()) {
      effects.note(
          SyncEvent.Note.Topic.UNCONFIRMED,
          pool.peer,
          "asked by name for " + all.size() + " unconfirmed transactions");
      relay.ask(pool.peer, all);
    }
  }

  /** Checks whether the first requests are answered. */
  private void conclude() {
    List<PeerPool> whole = new ArrayList<>(pools.values());
    whole.removeIf(pool -> !pool.isWhole());
    if (!whole.isEmpty() && whole.stream().allMatch(PeerPool::isQuiet)) {
      concludeWhole(whole);
    } else if (isPast(deadline)) {
      if (whole.isEmpty() && !settings.follow()) {
        missing.askLast();
      }
      if (!whole.isEmpty() || !missing.awaitsLastAnswers()) {
        missing.settle(true);
        finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
      }
    }
  }

  /** There are complete answers: waits for other peers, for the disk, and for denied payments. */
  private void concludeWhole(List<PeerPool> whole) {
    boolean late = isPast(deadline);
    if (opinionUntil == null) {
      awaitOpinions();
    }
    boolean waited = late || isPast(opinionUntil);
    boolean open = pools.values().stream().anyMatch(PeerPool::isAsking);
    if (open && !waited) {
      return;
    }
    if (!journal.isClean() && !late) {
      journal.hurry();
    } else if (!journal.isClean()) {
      // Payments may come without end, faster than they are written.
      finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
    } else if (askForUnannounced(whole)) {
      awaitOpinions();
      if (late) {
        finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
      }
    } else if (waited || !missing.isUndecided()) {
      // A peer that is still silent does not confirm it.
      missing.settle(true);
      finish(
          !filters.holdAllLive()
                  || whole.stream().anyMatch(pool -> PoolLink.of(pool.peer).truncated)
              ? SyncEvent.MempoolAnswered.Answer.PARTIAL
              : SyncEvent.MempoolAnswered.Answer.COMPLETE);
    }
  }

  private void awaitOpinions() {
    opinionUntil = effects.now().plus(MissingTransactions.SECOND_OPINION);
  }

  /**
   * Requests pending transactions that a complete answer lacks by name, once, from every peer.
   *
   * @return whether there are any
   */
  private boolean askForUnannounced(List<PeerPool> whole) {
    boolean any = false;
    for (PeerPool pool : whole) {
      Set<Hash256> unannounced = pool.notAnnounced(pending.txids());
      if (!unannounced.isEmpty()) {
        any = true;
        pool.named(unannounced);
        relay.ask(pool.peer, unannounced);
        askOthers(unannounced);
      }
    }
    return any;
  }

  private void askOthers(Set<Hash256> unannounced) {
    for (PeerPool pool : pools.values()) {
      if (!pool.isWhole()) {
        Set<Hash256> more = new LinkedHashSet<>(unannounced);
        more.removeIf(pool::vouchesFor);
        relay.ask(pool.peer, more);
      }
    }
  }

  @Override
  public void inv(Peer peer, Message.Inv inv) {
    PeerPool pool = pools.get(peer.link().id());
    if (pool == null) {
      return;
    }
    pool.announced(inv);
    if (!pool.isAsking() && MempoolRequest.txids(inv).stream().anyMatch(missing::isGone)) {
      // Its denial had been believed. Perhaps it announces with random delays.
      peer.answersMempoolAtOnce(false);
    }
  }

  @Override
  public void served(Peer peer, Hash256 txid) {
    PeerPool pool = pools.get(peer.link().id());
    if (pool != null) {
      pool.served(txid);
    }
    missing.found(txid);
  }

  @Override
  public void notFound(Peer peer, List<Hash256> txids) {
    PeerPool pool = pools.get(peer.link().id());
    if (pool != null) {
      missing.denied(pool, txids);
    }
  }

  /** The second pong of a request came. */
  private void closed(Peer peer) {
    PeerPool pool = pools.get(peer.link().id());
    if (pool == null) {
      return;
    }
    if (pool.closed()) {
      pool.repeated(send(peer));
      return;
    }
    if (isOver()) {
      lookForTheRest(pool);
    }
    Instant until = deadline;
    boolean whole = pools.values().stream().anyMatch(PeerPool::isWhole);
    if (stage == Stage.ASKED && !whole && until != null && until.isAfter(effects.now())) {
      effects.emit(
          new SyncEvent.MempoolAwaited(
              peer.link().address(), Duration.between(effects.now(), until)));
    }
  }

  /** Requests pending and missing transactions that an answer while following lacked by name. */
  private void lookForTheRest(PeerPool pool) {
    Set<Hash256> rest = pool.notAnnounced(missing.sought());
    pool.named(rest);
    rest.removeAll(PoolLink.of(pool.peer).wanted());
    relay.ask(pool.peer, rest);
  }

  @Override
  public void lost(Peer peer) {
    lost.remove(peer.link().address());
    lost.add(peer.link().address());
    if (lost.size() > MAX_LOST) {
      lost.remove(lost.iterator().next());
    }
    pools.remove(peer.link().id());
    if (stage == Stage.ASKED && pools.isEmpty()) {
      stage = Stage.WAITING;
    }
    missing.settle(false);
  }

  private void finish(SyncEvent.MempoolAnswered.Answer answer) {
    stage = Stage.OVER;
    if (answer != SyncEvent.MempoolAnswered.Answer.SKIPPED) {
      missing.giveUpUnaccepted();
    }
    effects.emit(new SyncEvent.MempoolAnswered(answer));
  }
}
