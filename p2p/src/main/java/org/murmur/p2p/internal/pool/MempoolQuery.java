package org.murmur.p2p.internal.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.scan.Scanners;
import org.murmur.p2p.internal.scan.SharedFilters;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Limits;
import org.murmur.p2p.sync.SyncEvent;

/**
 * Unconfirmed transactions, requested once every outpoint is loaded (BIP-0035), from more than one
 * peer if there are several. While following, it also tracks pending transactions.
 *
 * <p>The answer to {@code mempool} has no end mark. A peer that answers at once sends its {@code
 * inv} before the pong of the ping after the request. Others spread it over half a minute, so only
 * the clock decides. A peer that answered at once is remembered, and its silence is then believed,
 * until it announces something that it had denied. With two peers, both are waited for.
 *
 * <p>No message reports a dropped transaction. So pending ones are requested by name: when the
 * filter grew by their inputs, at every new tip, whenever a peer's chain changes, and at intervals.
 * A denial is believed from a peer that announced the transaction on this link, or that answers at
 * once; from another peer after two denials, {@link #SPREADING} apart. A one-off sync cannot wait
 * so long. Without a complete answer, it makes one request by name before it ends. That covers
 * payments that should have reached every peer: old ones, and those of a branch that lost. A
 * transaction counts as missing if a denial is believed and no peer has it. Missing ones are
 * requested too, since no peer announces anything twice on a link.
 */
public final class MempoolQuery extends Part<PoolPeer> implements UnconfirmedQuery {

  private enum Stage {
    WAITING,
    ASKED,
    OVER
  }

  /** Peers to query. One may be on a fork or omit something; a third adds nothing. */
  static final int MAX_ASKED = 2;

  /** A payment found in the mempool can extend the look-ahead; that ends after a few rounds. */
  private static final int MAX_ROUNDS = 5;

  /**
   * The shortest pause between two requests for the whole mempool, while something is missing from
   * it.
   */
  private static final Duration SOON = Duration.ofSeconds(30);

  /**
   * After one peer's complete answer, the others get this long for a pong before they are asked for
   * what it lacks, and as long again to report whether they have that.
   */
  private static final Duration SECOND_OPINION = Duration.ofSeconds(2);

  /** Missing transactions that are requested again; the oldest are evicted. */
  private static final int MAX_GONE = 1_000;

  /** Lost peers that may come back; the first lost are evicted. */
  private static final int MAX_LOST = 200;

  private final WatchedLog log;
  private final Scanners<PoolPeer> scanners;
  private final Pending pending;
  private final SharedFilters filters;
  private final Relay relay;
  private Stage stage = Stage.WAITING;
  private @Nullable Instant deadline;
  // Deadline for a one-off sync to update a filter before its request, or for the only node to ask.
  private @Nullable Instant beginBy;
  private @Nullable Instant opinionUntil;
  // By link.
  private final Map<Integer, PeerPool> talks = new LinkedHashMap<>();
  // The last peers lost in this session.
  private final Set<NodeAddress> lost = new LinkedHashSet<>();
  // A denial is believed; answers of other peers are still due.
  private final Set<Hash256> doubted = new LinkedHashSet<>();
  private final Set<Hash256> gone = new LinkedHashSet<>();
  // Before a one-off sync ends: transactions for which one denial suffices, and its deadline.
  private final Set<Hash256> lastAsked = new LinkedHashSet<>();
  private @Nullable Instant lastUntil;

  public MempoolQuery(
      Part<PoolPeer> machine,
      WatchedLog log,
      Scanners<PoolPeer> scanners,
      Pending pending,
      SharedFilters filters,
      Relay relay) {
    super(machine);
    this.log = log;
    this.scanners = scanners;
    this.pending = pending;
    this.filters = filters;
    this.relay = relay;
  }

  private PeerPool.Moment moment() {
    return new PeerPool.Moment(
        effects.now(), chain.tip(), log.lastScript(), log.size(), pending.reorganisations());
  }

  @Override
  public boolean isOver() {
    return stage == Stage.OVER;
  }

  @Override
  public void setAlarm(Alarm alarm) {
    if (stage == Stage.ASKED) {
      alarm.at(deadline);
      alarm.at(opinionUntil);
      alarm.at(lastUntil);
    } else if (stage == Stage.WAITING) {
      alarm.at(beginBy);
    } else if (stage == Stage.OVER && settings.follow()) {
      boolean looks = !pending.txids().isEmpty() || !gone.isEmpty();
      for (PeerPool talk : talks.values()) {
        alarm.at(talk.again);
        alarm.at(looks ? talk.lookAt() : null);
        talk.denied.values().forEach(at -> alarm.at(at.plus(SPREADING)));
      }
    }
  }

  /**
   * Everything is covered and on disk: send the request, or check whether the answer is complete.
   */
  @Override
  public boolean advance() {
    boolean skip = settings.limits().mempoolWait().isZero();
    if (skip && stage != Stage.OVER) {
      finish(SyncEvent.MempoolAnswered.Answer.SKIPPED);
    }
    if (!isOver() || settings.follow()) {
      advance(skip);
    }
    return false;
  }

  private void advance(boolean skip) {
    attend(skip);
    boolean mayBeAlone = settings.preset().poolNode().isPresent();
    if (stage == Stage.WAITING && (mayBeAlone || !settings.follow())) {
      if (beginBy == null) {
        beginBy = effects.now().plus(settings.limits().mempoolWait());
      } else if (!effects.now().isBefore(beginBy)) {
        // New announcements have inputs to watch, so no filter ever holds all. Or the only node to
        // ask is missing: it is asked when it comes.
        finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
      }
    }
    if (stage == Stage.ASKED) {
      conclude();
      if (stage == Stage.OVER && settings.follow()) {
        // At once: otherwise nothing may happen for a minute.
        attend(skip);
      }
    }
  }

  private void attend(boolean skip) {
    for (PoolPeer peer : chosen()) {
      attend(peer, skip);
    }
  }

  /** The best peers to query. */
  private List<PoolPeer> chosen() {
    List<PoolPeer> fit = new ArrayList<>(scanners.trusted());
    fit.sort(
        Comparator.comparing((PoolPeer peer) -> peer.scan().isOverdue())
            .thenComparingInt((PoolPeer peer) -> peer.scan().refusals()));
    while (fit.size() > 1
        && (fit.size() > MAX_ASKED || fit.get(fit.size() - 1).scan().isOverdue())) {
      fit.remove(fit.size() - 1);
    }
    return fit;
  }

  /**
   * From now on the peer announces new transactions that match its filter: keep everything in it.
   * After a new peer, new scripts or a reorganisation, the earlier ones have to be requested again.
   */
  private void attend(PoolPeer peer, boolean skip) {
    if (peer.filter().isRecording()) {
      return;
    }
    if (!filters.holdsEverything(peer)) {
      filters.refresh(peer);
      return;
    }
    if (skip) {
      return;
    }
    PeerPool talk = talks.get(peer.link().id());
    if (talk == null) {
      boolean returned = lost.contains(peer.link().address());
      talk = new PeerPool(peer, returned, moment());
      talks.put(peer.link().id(), talk);
      ask(talk);
    } else if (!talk.isAsking()) {
      attend(talk);
    }
  }

  private void attend(PeerPool talk) {
    boolean again = !effects.now().isBefore(talk.again);
    boolean scripts = log.lastScript() > talk.scriptsAsked;
    if (stage != Stage.OVER) {
      if (scripts && talk.rounds < MAX_ROUNDS) {
        ask(talk);
      }
    } else if (again || scripts || talk.reorganisations != pending.reorganisations()) {
      ask(talk);
    } else if (log.size() > talk.elementsShown) {
      // A payment may have been replaced before the filter held its inputs.
      talk.elementsShown = log.size();
      talk.restart();
      look(talk);
    } else if (talk.restless
        || !talk.tip.equals(chain.tip())
        || !effects.now().isBefore(talk.lookAt())) {
      look(talk);
    } else {
      askForDenied(talk);
    }
  }

  private void ask(PeerPool talk) {
    talk.rounds++;
    talk.planNext(effects.now());
    effects.note(
        SyncEvent.Note.Topic.UNCONFIRMED, talk.peer, "requested its unconfirmed transactions");
    send(talk);
    opinionUntil = null;
    if (stage == Stage.WAITING) {
      stage = Stage.ASKED;
      if (deadline == null || settings.follow()) {
        deadline = effects.now().plus(settings.limits().mempoolWait());
      }
    }
  }

  /** Requests pending and missing transactions by name. */
  private void look(PeerPool talk) {
    talk.looked(moment());
    Set<Hash256> all = new LinkedHashSet<>(pending.txids());
    all.addAll(gone);
    all.removeAll(talk.peer.pool().wanted());
    if (!all.isEmpty()) {
      effects.note(
          SyncEvent.Note.Topic.UNCONFIRMED,
          talk.peer,
          "requested by txid: " + all.size() + " unconfirmed transactions");
      relay.ask(talk.peer, all);
    }
  }

  private void askForDenied(PeerPool talk) {
    talk.denied.keySet().retainAll(pending.txids());
    List<Hash256> again = new ArrayList<>();
    talk.denied.forEach(
        (txid, since) -> {
          if (isSpread(since) && !talk.peer.pool().wanted().contains(txid)) {
            again.add(txid);
          }
        });
    if (!again.isEmpty()) {
      relay.ask(talk.peer, again);
    }
  }

  /** Whether a transaction that was unannounced at a time should have been announced by now. */
  private boolean isSpread(Instant then) {
    return !effects.now().isBefore(then.plus(SPREADING));
  }

  /**
   * Checks whether the first request is answered. One peer's answer ends nobody else's wait: it may
   * hide a payment that another has.
   */
  private void conclude() {
    boolean whole = false;
    boolean open = false;
    boolean busy = false;
    boolean truncated = false;
    for (PeerPool talk : talks.values()) {
      boolean told = hasTold(talk);
      open |= talk.isAsking();
      whole |= told;
      busy |= told && !talk.isQuiet();
      truncated |= told && talk.peer.pool().truncated;
    }
    boolean late = deadline != null && !effects.now().isBefore(deadline);
    if (!whole || busy) {
      if (late && !awaitsLastAnswers(whole)) {
        settleDoubts(true);
        finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
      }
      return;
    }
    if (opinionUntil == null) {
      opinionUntil = effects.now().plus(SECOND_OPINION);
    }
    if (open && !late && effects.now().isBefore(opinionUntil)) {
      return;
    }
    if (!journal.isClean() && late) {
      // Payments may come without end, faster than they are written.
      finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
    } else if (!journal.isClean()) {
      journal.hurry();
    } else if (askForUntold()) {
      opinionUntil = effects.now().plus(SECOND_OPINION);
      if (late) {
        finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
      }
    } else if (doubted.isEmpty() || late || !effects.now().isBefore(opinionUntil)) {
      boolean all = chosen().stream().allMatch(this::hasTold);
      if (!all && !late) {
        return;
      }
      // A peer that is still silent does not confirm it.
      settleDoubts(true);
      finish(
          truncated || !all || !filters.holdAllLive()
              ? SyncEvent.MempoolAnswered.Answer.PARTIAL
              : SyncEvent.MempoolAnswered.Answer.COMPLETE);
    }
  }

  @Override
  public Set<NodeAddress> asked() {
    return addresses(talk -> true);
  }

  /** A later request to the same peer makes nothing unknown. */
  @Override
  public Set<NodeAddress> told() {
    return addresses(
        talk ->
            talk.isQuiet()
                && !talk.peer.pool().truncated
                && talk.hasToldOnce(effects.now(), SPREADING));
  }

  private Set<NodeAddress> addresses(Predicate<PeerPool> which) {
    Set<NodeAddress> found = new LinkedHashSet<>();
    for (PoolPeer peer : chosen()) {
      PeerPool talk = talks.get(peer.link().id());
      if (talk != null && which.test(talk)) {
        found.add(peer.link().address());
      }
    }
    return found;
  }

  private boolean hasTold(PoolPeer peer) {
    PeerPool talk = talks.get(peer.link().id());
    return talk != null && hasTold(talk);
  }

  /** Whether its answer is complete. After a new request, the earlier one is old. */
  private static boolean hasTold(PeerPool talk) {
    return talk.isWhole() && !talk.isAsking();
  }

  /**
   * The time is up without a complete answer. Core does not answer {@code mempool} if nothing
   * matches, so this is the only way to notice dropped transactions. Nodes serve at once what they
   * had before the link began. Returns whether answers are pending.
   */
  private boolean awaitsLastAnswers(boolean whole) {
    if (whole || settings.follow()) {
      return false;
    }
    if (lastUntil == null) {
      lastUntil = effects.now().plus(SECOND_OPINION);
      for (Input.Pending payment : pending.waiting().values()) {
        boolean young = !payment.unmined() && payment.isYoung(effects.clock());
        Hash256 txid = payment.tx().txid();
        if (payment.heard() && !young && !isVouchedFor(txid)) {
          lastAsked.add(txid);
        }
      }
      for (PeerPool talk : talks.values()) {
        if (!talk.peer.tip().isOnOtherChain()) {
          relay.ask(talk.peer, lastAsked);
        }
      }
    }
    return effects.now().isBefore(lastUntil)
        && talks.values().stream()
            .anyMatch(talk -> !Collections.disjoint(talk.peer.pool().wanted(), lastAsked));
  }

  /**
   * A complete answer came. Pending transactions that it lacks are requested by name, once, from
   * every peer. If no peer has one, it was dropped, or replaced without our seeing it.
   */
  private boolean askForUntold() {
    boolean any = false;
    for (PeerPool talk : talks.values()) {
      if (talk.isWhole() && !talk.isAsking()) {
        Set<Hash256> untold = talk.notAnnounced(pending.askable());
        any |= !untold.isEmpty();
        if (!untold.isEmpty()) {
          relay.ask(talk.peer, untold);
          askOthers(talk, untold);
        }
      }
    }
    return any;
  }

  private void askOthers(PeerPool first, Set<Hash256> untold) {
    for (PeerPool talk : talks.values()) {
      if (talk != first && !talk.isWhole()) {
        Set<Hash256> more = new LinkedHashSet<>(untold);
        more.removeIf(talk::vouchesFor);
        relay.ask(talk.peer, more);
      }
    }
  }

  @Override
  public void probe() {
    boolean silenceMatters = !settings.follow() && !settings.limits().mempoolWait().isZero();
    boolean affordable = settings.limits().bytes() == Limits.UNLIMITED;
    if (silenceMatters && affordable) {
      scanners.all(this::isUnknown).forEach(peer -> peer.pool().probe(effects));
    }
  }

  /** Whether a peer with no filter yet may answer {@code mempool} at once or later. */
  private boolean isUnknown(PoolPeer peer) {
    boolean filtered = peer.filter().load() != null;
    return peer.isReady() && !filtered && !peer.mempoolAtOnce() && !peer.pool().isProbed();
  }

  @Override
  public void inv(PoolPeer peer, Message.Inv inv) {
    PeerPool talk = talks.get(peer.link().id());
    if (talk == null) {
      return;
    }
    if (inv.items().isEmpty()) {
      talk.announcedNothing();
    }
    for (InventoryItem item : inv.items()) {
      if (item.type() == InventoryItem.TX || item.type() == InventoryItem.WITNESS_TX) {
        talk.announced(item.hash());
        if (!talk.isAsking() && gone.contains(item.hash())) {
          // Its denial had been believed. Perhaps it announces with random delays.
          peer.answersMempoolAtOnce(false);
        }
      } else {
        talk.restless |= item.type() == InventoryItem.BLOCK;
      }
    }
  }

  @Override
  public void moved(PoolPeer peer) {
    PeerPool talk = talks.get(peer.link().id());
    if (talk != null) {
      talk.restless = true;
    }
  }

  @Override
  public void served(PoolPeer peer, Hash256 txid) {
    PeerPool talk = talks.get(peer.link().id());
    if (talk != null) {
      talk.served(txid);
    }
    gone.remove(txid);
    settleDoubts();
  }

  /**
   * The peer does not have a requested transaction. A peer that delays its announcements denies
   * what it has not announced yet: it gets a second request when it should have.
   */
  @Override
  public void notFound(PoolPeer peer, List<Hash256> txids) {
    PeerPool talk = talks.get(peer.link().id());
    if (talk == null) {
      return;
    }
    for (Hash256 txid : txids) {
      boolean hadIt = talk.denies(txid);
      Input.Pending payment = pending.waiting().get(txid);
      // Of one that only the user is known to have, a denial says nothing new.
      if (payment == null || !payment.heard()) {
        continue;
      }
      Instant before = talk.denied.get(txid);
      boolean atOnce = peer.mempoolAtOnce() && !talk.mayBeLoading(effects.now());
      if (hadIt || atOnce || isLastWord(talk, txid) || (before != null && isSpread(before))) {
        talk.denied.remove(txid);
        doubted.add(txid);
      } else if (talk.denied.size() < peer.share(PeerPool.MAX_ANNOUNCED)) {
        talk.denied.putIfAbsent(txid, effects.now());
      }
    }
    settleDoubts();
  }

  private boolean isLastWord(PeerPool talk, Hash256 txid) {
    return lastAsked.contains(txid) && !talk.mayBeLoading(effects.now());
  }

  private void settleDoubts() {
    settleDoubts(false);
  }

  /** Waits for the queried peers, unless that has lasted long enough. */
  private void settleDoubts(boolean longEnough) {
    boolean missed = false;
    for (Iterator<Hash256> each = doubted.iterator(); each.hasNext(); ) {
      Hash256 txid = each.next();
      if (!pending.txids().contains(txid) || isVouchedFor(txid)) {
        each.remove();
      } else if (longEnough
          || talks.values().stream().noneMatch(talk -> talk.peer.pool().wanted().contains(txid))) {
        each.remove();
        journal.missing(txid, effects.now());
        miss(txid);
        missed = true;
      }
    }
    if (missed) {
      // By now the filters hold its inputs: a conflict that spends them would match.
      talks.values().forEach(talk -> talk.askSoon(SOON));
    }
  }

  private boolean isVouchedFor(Hash256 txid) {
    return talks.values().stream().anyMatch(talk -> talk.vouchesFor(txid));
  }

  private void miss(Hash256 txid) {
    relay.isGone();
    gone.add(txid);
    if (gone.size() > MAX_GONE) {
      gone.remove(gone.iterator().next());
    }
  }

  private void send(PeerPool talk) {
    talk.peer.filter().askMempool(effects);
    effects.pingBehind(talk.peer, Question.Kind.MEMPOOL, 0, question -> closed(talk));
    talk.asked(moment());
  }

  private Refusal closed(PeerPool talk) {
    switch (talk.closed()) {
      case DOUBTFUL -> send(talk);
      case WHOLE -> lookForTheRest(talk);
      case SPREAD -> {
        lookForTheRest(talk);
        await(talk.peer);
      }
    }
    return Refusal.NONE;
  }

  /** Its complete answer while following lacked some pending or missing transactions. */
  private void lookForTheRest(PeerPool talk) {
    if (stage == Stage.OVER) {
      Set<Hash256> all = new LinkedHashSet<>(pending.askable());
      all.addAll(gone);
      Set<Hash256> untold = talk.notAnnounced(all);
      untold.removeAll(talk.peer.pool().wanted());
      relay.ask(talk.peer, untold);
    }
  }

  private void await(PoolPeer peer) {
    Instant until = deadline;
    if (stage == Stage.ASKED && until != null && until.isAfter(effects.now())) {
      effects.emit(
          new SyncEvent.MempoolAwaited(
              peer.link().address(), Duration.between(effects.now(), until)));
    }
  }

  @Override
  public void lost(PoolPeer peer) {
    lost.remove(peer.link().address());
    lost.add(peer.link().address());
    if (lost.size() > MAX_LOST) {
      lost.remove(lost.iterator().next());
    }
    talks.remove(peer.link().id());
    if (stage == Stage.ASKED && talks.isEmpty()) {
      stage = Stage.WAITING;
    }
    settleDoubts();
  }

  private void finish(SyncEvent.MempoolAnswered.Answer answer) {
    stage = Stage.OVER;
    effects.emit(new SyncEvent.MempoolAnswered(answer));
  }
}
