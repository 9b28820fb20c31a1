package org.murmur.p2p.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.filters.FilterSession;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Guards;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Question;
import org.murmur.p2p.peers.Refusal;
import org.murmur.p2p.scan.Epochs;
import org.murmur.p2p.scan.GuardChoice;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.p2p.wire.InventoryItem;
import org.murmur.p2p.wire.Message;

/**
 * Unconfirmed transactions under the private preset: every guard is asked {@code mempool} once on
 * each connection and for each of its roles, when it holds the newest epoch of that role; and again
 * if a block had it hold another filter before its answer was whole, which it knows itself. What it
 * announces is fetched, all of it. Nothing is asked for by name, so that what it is asked says
 * nothing of what is the wallet's.
 *
 * <p>A single guard has both roles. It is asked under the scripts first, which tell of payments to
 * the wallet, then under the outpoints, and keeps the scripts at last.
 *
 * <p>What became of payments that nobody announces any more is inferred here, without a word to
 * anybody. The filter that a guard holds is known to the bit: a transaction that it lets through
 * and that a whole answer lacked is not in that guard's memory pool. Then it counts as missing,
 * unless the other guard announced it. What no guard's filter lets through nobody can deny; the
 * user is told of it, and it counts until nodes would have dropped it for its age.
 */
public final class GuardMempool implements UnconfirmedQuery {

  /** What comes at once after the first word of an answer belongs to it. */
  private static final Duration ONE_GO = Duration.ofSeconds(2);

  /**
   * What a guard said on one connection since it was asked. Core's answer is made in one go, either
   * before it reads on or, for strangers, at its next pause.
   */
  private static final class Answer {
    final Peer peer;
    final FilterRole role;
    final Load load;
    final ServerFilter filter;
    // What the wallet counted as pending when it asked.
    final Map<Hash256, Input.Pending> waiting;
    final Instant askedAt;
    final Set<Hash256> told = new HashSet<>();
    // The ping before the question was answered, and the one behind it: what comes between the two
    // pongs was said in between.
    boolean begun;
    boolean ponged;
    boolean emptyHanded;
    boolean atOnce;
    @Nullable Instant toldLater;
    // It was whole, so that its guard turns to another role.
    boolean closed;
    // It says nothing about what it did not announce, or that was taken in already.
    boolean judged;

    Answer(
        Peer peer,
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

    /** Whether all of it came before the pong, as far as that can be told. */
    boolean isPrompt() {
      return ponged && (atOnce || peer.mempoolAtOnce());
    }

    void announced(Message.Inv inv, Instant now) {
      boolean any = false;
      for (InventoryItem item : inv.items()) {
        if (item.type() == InventoryItem.TX || item.type() == InventoryItem.WITNESS_TX) {
          any = true;
          // With more than that nothing can be said of what is not among it.
          judged |= told.size() >= PeerPool.MAX_ANNOUNCED;
          if (told.add(item.hash()) && isPrompt() && waiting.containsKey(item.hash())) {
            // By its silence it had denied that. Perhaps it spreads its news.
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

    /** When all of it is here, if nothing more is heard. */
    Instant due() {
      Instant spread = askedAt.plus(SPREADING);
      if (isPrompt()) {
        return askedAt;
      }
      return toldLater == null || toldLater.plus(ONE_GO).isAfter(spread)
          ? spread
          : toldLater.plus(ONE_GO);
    }

    /** Whether all is here that the filter it was asked under lets through. */
    boolean isWhole(Instant now) {
      if (closed) {
        return true;
      }
      if (!ponged || now.isBefore(due())) {
        return false;
      }
      // Another filter would have let other things through, if it came before the answer was made.
      return isPrompt() || (!FilterSession.of(peer).isRecording() && isLoaded());
    }

    /** Whether it can never be whole: the filter it was asked under went before it was. */
    boolean isSpoilt() {
      return !closed && ponged && !isPrompt() && !isLoaded();
    }

    private boolean isLoaded() {
      Load now = FilterSession.of(peer).load();
      return now != null && now.id() == load.id();
    }

    /** Whether it had to announce a transaction if it had it. */
    boolean lets(Tx tx) {
      // Its flag is NONE: a match changes nothing.
      return filter.matchAndUpdate(tx);
    }
  }

  private final Effects effects;
  private final SyncSettings settings;
  private final Journal journal;
  private final Pending pending;
  private final Guards guards;
  private final GuardChoice choice;
  private final Epochs epochs;
  private final Relay relay;
  private final List<Answer> answers = new ArrayList<>();
  // Who was lost in this session: it may be loading its memory pool when it comes back.
  private final Set<PeerAddress> lost = new HashSet<>();
  // Found missing in this session, and not announced since.
  private final Set<Hash256> gone = new HashSet<>();
  private @Nullable Instant deadline;
  private boolean over;

  public GuardMempool(
      Effects effects,
      SyncSettings settings,
      Journal journal,
      Pending pending,
      Epochs epochs,
      GuardChoice choice,
      Relay relay) {
    this.effects = effects;
    this.settings = settings;
    this.journal = journal;
    this.pending = pending;
    this.choice = choice;
    this.guards = choice.guards();
    this.epochs = epochs;
    this.relay = relay;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public @Nullable Instant deadline() {
    Instant next = over ? null : deadline;
    if (over && !settings.follow()) {
      return next;
    }
    for (Answer answer : answers) {
      boolean open = over ? !answer.judged : !answer.closed && hasMore(answer.peer);
      boolean ahead = open && answer.due().isAfter(effects.now());
      if (ahead && (next == null || answer.due().isBefore(next))) {
        next = answer.due();
      }
    }
    return next;
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

  /** Guards are let go first: they must not see whether anything is missing. */
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

  private void askWhoWasNotAsked() {
    for (Peer peer : choice.present()) {
      Load load = FilterSession.of(peer).load();
      FilterRole role = unasked(peer);
      if (load != null && role != null && epochs.holdsNewest(peer, role)) {
        Answer answer = new Answer(peer, role, load, pending.waiting(), effects.now());
        ask(answer);
        answer.judged = lost.contains(peer.link().address());
        Answer spoilt = find(peer, role);
        if (spoilt != null) {
          // What was announced once is vouched for.
          answer.told.addAll(spoilt.told);
          answers.remove(spoilt);
        }
        answers.add(answer);
        if (deadline == null) {
          deadline = effects.now().plus(settings.mempoolWait());
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
    FilterSession.of(answer.peer).askMempool(effects);
    effects.pingBehind(answer.peer, Question.Kind.MEMPOOL, 0, question -> closed(answer));
  }

  /** The role that a guard is to be asked in next; null if that has to wait, or none is left. */
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

  /**
   * Whether a spoilt answer is still needed: to judge by, or to turn to the next role behind it.
   */
  private boolean isToRepeat(Answer answer) {
    return answer.isSpoilt() && (!answer.judged || hasMore(answer.peer));
  }

  /** Whether a guard is still to be asked in another role. */
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

  /** Lets a guard turn to its other role once it has answered in one; returns whether one does. */
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
    return settings.mempoolWait().isZero();
  }

  private @Nullable Answer find(Peer peer, FilterRole role) {
    for (Answer answer : answers) {
      if (answer.peer == peer && answer.role == role) {
        return answer;
      }
    }
    return null;
  }

  /** What a guard was asked last. */
  private @Nullable Answer current(Peer peer) {
    Answer last = null;
    for (Answer answer : answers) {
      last = answer.peer == peer ? answer : last;
    }
    return last;
  }

  /** Whether every guard is one that answers at once, did so, and handed over what it announced. */
  private boolean isPrompt() {
    for (Peer peer : choice.present()) {
      Answer answer = current(peer);
      if (answer == null
          || hasMore(peer)
          || !answer.isPrompt()
          || !PoolLink.of(peer).wanted().isEmpty()
          || !PoolLink.of(peer).waiting.isEmpty()
          || PoolLink.of(peer).truncated) {
        return false;
      }
    }
    return !answers.isEmpty();
  }

  /**
   * Takes in what whole answers lack. Nothing waits for that to be written: how long a session
   * lasts must not tell whether anything was missing. Returns whether an answer was judged, so that
   * its guard need not hold that filter any longer.
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
    journal.missing(txid, effects.now());
    relay.isGone();
  }

  /** Whether a payment waits still, should have reached the guards, and none of them has it. */
  private boolean isOpen(Input.Pending payment) {
    Hash256 txid = payment.tx().txid();
    return pending.txids().contains(txid)
        && !gone.contains(txid)
        && !payment.isYoung(effects.clock())
        && answers.stream().noneMatch(answer -> answer.told.contains(txid));
  }

  private Duration age(Input.Pending payment) {
    return Duration.between(Instant.ofEpochSecond(payment.firstSeen()), effects.clock());
  }

  private void finish(SyncEvent.MempoolAnswered.Answer answer) {
    over = true;
    if (answer != SyncEvent.MempoolAnswered.Answer.SKIPPED) {
      judge();
      settleTheRest();
    }
    effects.emit(new SyncEvent.MempoolAnswered(answer));
  }

  /**
   * What nobody announced, and nobody could deny: no filter lets it through, or no whole answer is
   * there. The first is given up when it is so old that nodes have dropped it.
   */
  private void settleTheRest() {
    int unchecked = 0;
    for (Input.Pending payment : pending.waiting().values()) {
      if (!isOpen(payment)) {
        continue;
      }
      boolean seen = answers.stream().anyMatch(answer -> answer.lets(payment.tx()));
      if (!seen && choice.allPresent() && age(payment).abs().compareTo(EXPIRY) >= 0) {
        miss(payment.tx().txid());
      } else {
        unchecked++;
      }
    }
    if (unchecked > 0) {
      effects.emit(new SyncEvent.Warning(new SyncWarning.PaymentsUnchecked(unchecked, EXPIRY)));
    }
  }

  @Override
  public void inv(Peer peer, Message.Inv inv) {
    Answer answer = current(peer);
    if (answer != null) {
      answer.announced(inv, effects.now());
      gone.removeAll(answer.told);
    }
  }

  @Override
  public void notFound(Peer peer, List<Hash256> txids) {
    for (Answer answer : answers) {
      if (answer.peer == peer) {
        // It announced them and has dropped them since: as good as never announced.
        txids.forEach(answer.told::remove);
      }
    }
  }

  private Refusal closed(Answer answer) {
    Peer peer = answer.peer;
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
  public void lost(Peer peer) {
    lost.add(peer.link().address());
    answers.removeIf(answer -> answer.peer == peer);
  }
}
