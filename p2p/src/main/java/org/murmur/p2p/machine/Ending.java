package org.murmur.p2p.machine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.dial.Dialer;
import org.murmur.p2p.filters.FilterSession;
import org.murmur.p2p.headers.ClockCheck;
import org.murmur.p2p.headers.HeaderSync;
import org.murmur.p2p.headers.StaleTip;
import org.murmur.p2p.headers.TipWatch;
import org.murmur.p2p.peers.Budget;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.pool.Relay;
import org.murmur.p2p.pool.UnconfirmedQuery;
import org.murmur.p2p.scan.Depths;
import org.murmur.p2p.scan.GuardChoice;
import org.murmur.p2p.scan.ScanPlan;
import org.murmur.p2p.scan.Settlement;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncWarning;

/** When a session has done what it can, and what it says then. */
final class Ending {

  private final SyncSettings settings;
  private final HeaderChain chain;
  private final Effects effects;
  private final Roster roster;
  private final Journal journal;
  private final Budget budget;
  private final @Nullable GuardChoice choice;
  private final Dialer dialer;
  private final HeaderSync headers;
  private final TipWatch tips;
  private final StaleTip stale;
  private final Settlement settlement;
  private final Depths depths;
  private final ScanPlan plan;
  private final Relay relay;
  private final UnconfirmedQuery mempool;
  private boolean stopping;
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

  Ending(Parts parts) {
    this.settings = parts.settings;
    this.chain = parts.chain;
    this.effects = parts.effects;
    this.roster = parts.roster;
    this.journal = parts.journal;
    this.budget = parts.budget;
    this.choice = parts.choice;
    this.dialer = parts.dialer;
    this.headers = parts.headers;
    this.tips = parts.tips;
    this.stale = parts.stale;
    this.settlement = parts.settlement;
    this.depths = parts.depths;
    this.plan = parts.plan;
    this.relay = parts.relay;
    this.mempool = parts.mempool;
  }

  /** Whether the session is about to stop. */
  boolean isStopping() {
    return stopping;
  }

  /** How it was last said that all is seen; null if it was not. */
  @Nullable SyncEvent told() {
    return toldEnd;
  }

  /** The loop has read as many bytes as it may. */
  void limitReached() {
    if (!stopping) {
      spent();
    }
  }

  /** A part of the machine sees no way on. */
  void stop() {
    stopping = true;
  }

  /** Ends the session if nothing is left to do, or if the limit of bytes keeps us from it. */
  void look() {
    finishIfComplete();
    if (!stopping && isHeldUp()) {
      spent();
    }
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
    stopping = choice != null || journal.isWritten(overBy);
  }

  /**
   * Until when those who were just called are waited for: they may know of higher blocks. Who
   * follows is told of those when they come, once it was told what there is.
   */
  @Nullable Instant greetingDue() {
    boolean told = settings.follow() && toldEnd != null;
    return told ? null : dialer.greetingDue();
  }

  /** Whether these peers have no more to show than what is seen. */
  private boolean isAllSeen() {
    if (!headers.areDone() || tips.areAllOnOtherChains() || dialer.lacksScanner()) {
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
    dialer.warnOfOneGroup();
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
  void sayEnd() {
    SyncEvent end = unsaidEnd;
    boolean covered = settings.headersOnly() || plan.isCovered();
    if (end != null && covered && !end.equals(toldEnd)) {
      toldEnd = end;
      effects.emit(end);
    }
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

  /** Ends when nothing can be done any more. */
  void stopIfNobodyIsUsable() {
    SyncEvent.NoUsablePeer none = dialer.noUsablePeer();
    if (none != null) {
      effects.emit(none);
      stopping = true;
    }
  }

  /** Somebody ends the session. Whoever sends something must know if nobody was there to get it. */
  void end() {
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

  /** Whether a peer that said hello owes an answer, or waits for its filter to be recorded. */
  private boolean isSomethingOnItsWay() {
    for (Peer peer : roster.peers()) {
      if (FilterSession.of(peer).isRecording() || (peer.isReady() && peer.questions().owes())) {
        return true;
      }
    }
    return false;
  }
}
