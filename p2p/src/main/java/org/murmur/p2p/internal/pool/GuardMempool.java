package org.murmur.p2p.internal.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Guards;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;
import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.peers.Refusal;
import org.murmur.p2p.internal.scan.Epochs;
import org.murmur.p2p.internal.scan.GuardChoice;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent;

/**
 * Unconfirmed transactions under the private preset. Every guard gets {@code mempool} once on each
 * connection for each of its roles, when it holds that role's newest epoch. If a block made it hold
 * another filter before its answer was complete, which it knows itself, it gets {@code mempool}
 * again. Everything that it announces is fetched. Nothing is requested by name, so our requests do
 * not reveal the wallet's transactions.
 *
 * <p>A single guard has both roles. It answers first under the scripts, which show payments to the
 * wallet, then under the outpoints, and keeps the scripts at the end.
 *
 * <p>The fate of payments that no peer announces any more is inferred here, without a message. The
 * filter that a guard holds is known to the bit. A transaction that it matches and that a complete
 * answer lacks is not in that guard's mempool. It then counts as missing, unless the other guard
 * announced it. If no guard's filter matches a transaction, no guard can deny it: the user is
 * warned, and it counts until nodes would have dropped it for its age.
 */
public final class GuardMempool extends Part<PoolPeer> implements UnconfirmedQuery {

  /** Announcements this soon after the first of an answer belong to it. */
  private static final Duration ONE_GO = Duration.ofSeconds(2);

  /**
   * A guard's announcements on one connection since its {@code mempool} request. Core answers in
   * one batch, either before it reads on or, for inbound peers, at its next pause.
   */
  private static final class Answer {
    final PoolPeer peer;
    final FilterRole role;
    final Load load;
    final ServerFilter filter;
    // The wallet's pending transactions at the request.
    final Map<Hash256, Input.Pending> waiting;
    final Instant askedAt;
    final Set<Hash256> told = new HashSet<>();
    // The ping before the request was answered, and the one after it: announcements between the two
    // pongs belong to the answer.
    boolean begun;
    boolean ponged;
    boolean emptyHanded;
    boolean atOnce;
    @Nullable Instant toldLater;
    // Its guard was lost before: it may have been loading its mempool when it answered.
    boolean returned;
    boolean whole;
    // It was complete, so its guard turns to another role.
    boolean closed;
    // It proves nothing about transactions that are not in it, or it was processed already.
    boolean judged;

    Answer(
        PoolPeer peer,
        FilterRole role,
        Load load,
        Map<Hash256, Input.Pending> waiting,
        Instant askedAt) {
      this.peer = peer;
      this.role = role;
      this.load = load;
      this.filter = new ServerFilter(load.filter());
      this.waiting = waiting;
      this.askedAt = askedAt;
    }

    /** Whether all of it came before the pong, as far as we can see. */
    boolean isPrompt() {
      return ponged && (atOnce || peer.mempoolAtOnce());
    }

    void announced(Message.Inv inv, Instant now) {
      boolean any = false;
      for (InventoryItem item : inv.items()) {
        if (item.type() == InventoryItem.TX || item.type() == InventoryItem.WITNESS_TX) {
          any = true;
          // Beyond that, an absent transaction proves nothing.
          judged |= told.size() >= peer.share(PeerPool.MAX_ANNOUNCED);
          if (told.add(item.hash()) && isPrompt() && now.isBefore(askedAt.plus(SPREADING))) {
            // Its silence may have denied that. Perhaps it announces with random delays. Later it
            // would have announced what it had, so this is new. This holds for every transaction:
            // the guard sees how long we wait for its answer.
            peer.answersMempoolAtOnce(false);
          }
        }
      }
      emptyHanded |= !ponged && inv.items().isEmpty();
      atOnce |= any && begun && !ponged;
      if (any && ponged && toldLater == null) {
        toldLater = now;
      }
    }

    /** When it is complete, if nothing more arrives. */
    Instant due() {
      Instant spread = askedAt.plus(SPREADING);
      if (isPrompt()) {
        return askedAt;
      }
      return toldLater == null || toldLater.plus(ONE_GO).isAfter(spread)
          ? spread
          : toldLater.plus(ONE_GO);
    }

    /** Whether everything that matches its filter is here. */
    boolean isWhole(Instant now) {
      if (closed) {
        return true;
      }
      if (!ponged || now.isBefore(due())) {
        return false;
      }
      // Another filter would have matched others, if it came before the answer was made.
      return isPrompt() || (!peer.filter().isRecording() && isLoaded());
    }

    /** Whether everything was here once; what came later is announced. */
    boolean wasWhole(Instant now) {
      whole |= !returned && isWhole(now);
      return whole;
    }

    /** Whether it can never be complete: its filter was replaced before. */
    boolean isSpoilt() {
      return !closed && ponged && !isPrompt() && !isLoaded();
    }

    private boolean isLoaded() {
      Load now = peer.filter().load();
      return now != null && now.id() == load.id();
    }

    /** Whether the guard had to announce a transaction that it had. */
    boolean lets(Tx tx) {
      // Its flag is NONE: a match changes nothing.
      return filter.matchAndUpdate(tx);
    }
  }

  private final Pending pending;
  private final Guards guards;
  private final GuardChoice<PoolPeer> choice;
  private final Epochs epochs;
  private final Unchecked unchecked;
  private final List<Answer> answers = new ArrayList<>();
  // Guards lost in this session: after a reconnect they may be loading their mempool.
  private final Set<NodeAddress> lost = new HashSet<>();
  // Found missing in this session, and not announced since.
  private final Set<Hash256> gone = new HashSet<>();
  private @Nullable Instant deadline;
  private boolean over;

  public GuardMempool(
      Part<PoolPeer> machine,
      Pending pending,
      Epochs epochs,
      GuardChoice<PoolPeer> choice,
      Relay relay) {
    super(machine);
    this.pending = pending;
    this.choice = choice;
    this.guards = choice.guards();
    this.epochs = epochs;
    this.unchecked = new Unchecked(machine, pending, relay);
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public void setAlarm(Alarm alarm) {
    alarm.at(over ? null : deadline);
    if (!over || settings.follow()) {
      for (Answer answer : answers) {
        boolean open = over ? !answer.judged : !answer.closed && hasMore(answer.peer);
        alarm.at(open ? answer.due() : null);
      }
    }
  }

  @Override
  public boolean advance() {
    boolean skip = skips();
    if (!skip) {
      askWhoWasNotAsked();
      if (closeAnswers()) {
        return true;
      }
    }
    if (over) {
      return judge();
    }
    finishIfAnswered(skip);
    return over;
  }

  /** Guards are disconnected first: they must not see whether anything is missing. */
  @Override
  public boolean endsUnwritten() {
    return true;
  }

  private void finishIfAnswered(boolean skip) {
    if (skip || !epochs.hasBegun()) {
      finish(SyncEvent.MempoolAnswered.Answer.SKIPPED);
    } else if (choice.present().isEmpty()) {
      finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
    } else if (isPrompt()) {
      boolean late = deadline != null && !effects.now().isBefore(deadline);
      if (!journal.isClean() && !late) {
        journal.hurry();
      } else {
        finish(
            journal.isClean() && choice.allPresent()
                ? SyncEvent.MempoolAnswered.Answer.COMPLETE
                : SyncEvent.MempoolAnswered.Answer.PARTIAL);
      }
    } else if (deadline != null && !effects.now().isBefore(deadline)) {
      finish(SyncEvent.MempoolAnswered.Answer.PARTIAL);
    }
  }

  @Override
  public Set<NodeAddress> asked() {
    return guards(peer -> true);
  }

  @Override
  public Set<NodeAddress> told() {
    return guards(
        peer ->
            !hasMore(peer)
                && isServed(peer)
                && answers.stream()
                    .filter(answer -> answer.peer == peer)
                    .allMatch(answer -> answer.wasWhole(effects.now())));
  }

  private Set<NodeAddress> guards(Predicate<PoolPeer> which) {
    Set<NodeAddress> found = new HashSet<>();
    for (PoolPeer peer : choice.present()) {
      if (current(peer) != null && which.test(peer)) {
        found.add(peer.link().address());
      }
    }
    return found;
  }

  private void askWhoWasNotAsked() {
    for (PoolPeer peer : choice.present()) {
      Load load = peer.filter().load();
      FilterRole role = unasked(peer);
      if (load != null && role != null && epochs.holdsNewest(peer, role)) {
        Answer answer = new Answer(peer, role, load, pending.waiting(), effects.now());
        ask(answer);
        answer.returned = lost.contains(peer.link().address());
        answer.judged = answer.returned;
        Answer spoilt = find(peer, role);
        if (spoilt != null) {
          // A transaction that it announced once is known to exist.
          answer.told.addAll(spoilt.told);
          answers.remove(spoilt);
        }
        answers.add(answer);
        if (deadline == null) {
          deadline = effects.now().plus(settings.limits().mempoolWait());
        }
      }
    }
  }

  private void ask(Answer answer) {
    effects.pingBehind(
        answer.peer,
        Question.Kind.PING,
        0,
        question -> {
          answer.begun = true;
          return Refusal.NONE;
        });
    answer.peer.filter().askMempool(effects);
    effects.pingBehind(answer.peer, Question.Kind.MEMPOOL, 0, question -> closed(answer));
  }

  /** The role for the guard's next request; null if that has to wait, or none is left. */
  private @Nullable FilterRole unasked(Peer peer) {
    for (FilterRole role : FilterRole.values()) {
      if (guards.isGuard(peer.link().address(), role)) {
        Answer answer = find(peer, role);
        if (answer == null || isToRepeat(answer)) {
          return role;
        }
        if (!answer.closed) {
          return null;
        }
      }
    }
    return null;
  }

  /** Whether a spoilt answer is still needed, as evidence or to reach the next role after it. */
  private boolean isToRepeat(Answer answer) {
    return answer.isSpoilt() && (!answer.judged || hasMore(answer.peer));
  }

  /** Whether a guard has another role without a request. */
  private boolean hasMore(Peer peer) {
    for (FilterRole role : FilterRole.values()) {
      if (guards.isGuard(peer.link().address(), role) && find(peer, role) == null) {
        return true;
      }
    }
    return false;
  }

  /**
   * The role whose filter an idle guard holds. A guard with both roles ends with the scripts, but
   * keeps its filter while its answer is open.
   */
  public FilterRole resting(Peer peer) {
    if (skips() || (over && !settings.follow())) {
      return FilterRole.OUTPOINTS;
    }
    FilterRole next = unasked(peer);
    if (next != FilterRole.OUTPOINTS) {
      Answer last = current(peer);
      return last == null || (over && last.judged) ? FilterRole.SCRIPTS : last.role;
    }
    return next;
  }

  /** Lets a guard turn to its other role after its answer; returns whether one does. */
  private boolean closeAnswers() {
    boolean any = false;
    for (Answer answer : answers) {
      if (!answer.closed && hasMore(answer.peer) && answer.isWhole(effects.now())) {
        answer.closed = true;
        any = true;
      }
    }
    return any;
  }

  private boolean skips() {
    return settings.limits().mempoolWait().isZero();
  }

  private @Nullable Answer find(Peer peer, FilterRole role) {
    for (Answer answer : answers) {
      if (answer.peer == peer && answer.role == role) {
        return answer;
      }
    }
    return null;
  }

  /** The guard's last request. */
  private @Nullable Answer current(Peer peer) {
    Answer last = null;
    for (Answer answer : answers) {
      last = answer.peer == peer ? answer : last;
    }
    return last;
  }

  /** Whether every guard answers at once, has done so, and served what it announced. */
  private boolean isPrompt() {
    for (PoolPeer peer : choice.present()) {
      Answer answer = current(peer);
      if (answer == null || hasMore(peer) || !answer.isPrompt() || !isServed(peer)) {
        return false;
      }
    }
    return !answers.isEmpty();
  }

  private static boolean isServed(PoolPeer peer) {
    PoolLink link = peer.pool();
    return link.wanted().isEmpty() && link.waiting.isEmpty() && !link.truncated;
  }

  /**
   * Processes the absences in complete answers. Nothing waits for the write: the length of a
   * session must not reveal whether anything was missing. Returns whether an answer was judged, so
   * that its guard no longer needs that filter.
   */
  private boolean judge() {
    boolean any = false;
    for (Answer answer : answers) {
      if (answer.judged || !answer.isWhole(effects.now())) {
        continue;
      }
      answer.judged = true;
      any = true;
      for (Input.Pending old : answer.waiting.values()) {
        if (isOpen(old) && answer.lets(old.tx())) {
          miss(old.tx().txid());
        }
      }
    }
    return any;
  }

  private void miss(Hash256 txid) {
    gone.add(txid);
    unchecked.miss(txid);
  }

  /**
   * Whether a payment is still pending, should have reached the guards, and none of them has it.
   * One that only the user is known to have is announced again, and waits for no guard.
   */
  private boolean isOpen(Input.Pending payment) {
    Hash256 txid = payment.tx().txid();
    return pending.txids().contains(txid)
        && payment.heard()
        && !gone.contains(txid)
        && !payment.isYoung(effects.clock())
        && answers.stream().noneMatch(answer -> answer.told.contains(txid));
  }

  private void finish(SyncEvent.MempoolAnswered.Answer answer) {
    over = true;
    if (answer != SyncEvent.MempoolAnswered.Answer.SKIPPED) {
      judge();
      // None could deny the others: no filter matches them, or no answer is complete.
      unchecked.settle(
          this::isOpen,
          payment ->
              choice.allPresent() && answers.stream().noneMatch(one -> one.lets(payment.tx())),
          this::miss);
    }
    effects.emit(new SyncEvent.MempoolAnswered(answer));
  }

  @Override
  public void inv(PoolPeer peer, Message.Inv inv) {
    Answer answer = current(peer);
    if (answer != null) {
      answer.announced(inv, effects.now());
      gone.removeAll(answer.told);
    }
  }

  @Override
  public void notFound(PoolPeer peer, List<Hash256> txids) {
    for (Answer answer : answers) {
      if (answer.peer == peer) {
        // It announced them and has dropped them since: as good as never announced.
        txids.forEach(answer.told::remove);
      }
    }
  }

  private Refusal closed(Answer answer) {
    PoolPeer peer = answer.peer;
    answer.ponged = true;
    peer.answersMempoolAtOnce(peer.mempoolAtOnce() || answer.emptyHanded);
    Instant until = deadline;
    if (!over && !answer.isPrompt() && until != null && until.isAfter(effects.now())) {
      effects.emit(
          new SyncEvent.MempoolAwaited(
              peer.link().address(), Duration.between(effects.now(), until)));
    }
    return Refusal.NONE;
  }

  @Override
  public void lost(PoolPeer peer) {
    lost.add(peer.link().address());
    answers.removeIf(answer -> answer.peer == peer);
  }
}
