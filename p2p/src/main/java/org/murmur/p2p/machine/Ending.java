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
  private final Dialer dialer;
  private final HeaderSync headers;
  private final TipWatch tips;
  private final StaleTip stale;
  private final Settlement settlement;
  private final Depths depths;
  private final ScanPlan plan;
  private final Relay relay;
  private final UnconfirmedQuery mempool;
  private final Progress progress;
  private boolean stopping;
  // How it was last said that all is seen.
  private @Nullable SyncEvent reportedEnd;
  // What is to be said once all is on disk, in a session that was stopped when all was seen.
  private @Nullable SyncEvent unreportedEnd;
  // The batch that holds all there was when all was seen, and when the mempools were told; negative
  // before that. What comes meanwhile is not waited for: payments may come without end.
  private long seenBy = -1;
  private long overBy = -1;
  private @Nullable Hash256 underCheckedTip;
  private SyncWarning.@Nullable MissingGuard reportedRefusal;

  Ending(Parts parts, Preset preset, Progress progress) {
    this.progress = progress;
    this.settings = parts.settings;
    this.chain = parts.chain;
    this.effects = parts.effects;
    this.roster = parts.roster;
    this.journal = parts.journal;
    this.budget = parts.budget;
    this.dialer = parts.dialer;
    this.headers = parts.headers;
    this.tips = parts.tips;
    this.stale = parts.stale;
    this.settlement = parts.settlement;
    this.depths = parts.depths;
    this.plan = preset.plan();
    this.relay = parts.relay;
    this.mempool = preset.mempool();
  }

  /** Whether the session is about to stop. */
  boolean isStopping() {
    return stopping;
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

  /**
   * Sees whether all is seen and on disk, and says so.
   *
   * @return whether it is time for what is unconfirmed
   */
  boolean isReached() {
    if (!isAllSeen()) {
      seenBy = -1;
      overBy = -1;
      return false;
    }
    boolean covered = plan.isCovered();
    journal.hurry();
    seenBy = seenBy < 0 ? journal.holdingAll() : seenBy;
    if (!journal.isWritten(seenBy) || greetingDue() != null) {
      return false;
    }
    SyncWarning.MissingGuard refusal = covered ? null : plan.refusal();
    if (refusal != null) {
      withoutGuard(refusal);
      return false;
    }
    if (covered && headers.hasSkippedClaims()) {
      // All is seen but what a peer claims to have beyond: that may be so.
      spent();
      return false;
    }
    Hash256 tip = chain.hashAt(plan.height());
    if (covered) {
      complete(tip);
    } else {
      tooFewCrossChecks(tip);
    }
    return true;
  }

  /** Ends the session once it is known what is unconfirmed, and written. */
  void stopIfAnswered() {
    if (!mempool.isOver() || settings.follow() || relay.isSending()) {
      return;
    }
    overBy = overBy < 0 ? journal.holdingAll() : overBy;
    stopping = mempool.endsUnwritten() || journal.isWritten(overBy);
  }

  /** Ends the session if the limit of bytes alone keeps it from going on. */
  void stopIfHeldUp() {
    if (!stopping && isHeldUp()) {
      journal.hurry();
      if (journal.isClean()) {
        spent();
      }
    }
  }

  /**
   * Until when those who were just called are waited for: they may know of higher blocks. Who
   * follows is told of those when they come, once it was told what there is.
   */
  @Nullable Instant greetingDue() {
    boolean told = settings.follow() && reportedEnd != null;
    return told ? null : dialer.greetingDue();
  }

  /** Whether these peers have no more to show than what is seen. */
  private boolean isAllSeen() {
    return isAllScanned() && settlement.isSpotChecked();
  }

  /** Whether these peers have no more blocks to show, but for spot checks. */
  boolean isAllScanned() {
    if (!headers.areDone() || tips.areAllOnOtherChains() || dialer.lacksScanner()) {
      return false;
    }
    return plan.isCovered() || (!tips.isUndecided() && plan.isExhausted() && !dialer.hasMore());
  }

  /**
   * All that these peers have is seen; said once of a tip, and again if it was the clock's fault.
   */
  private void complete(Hash256 tip) {
    SyncEvent end = endAt(tip);
    if (end.equals(reportedEnd)) {
      return;
    }
    reportedEnd = end;
    progress.isNews();
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
    SyncEvent end = unreportedEnd;
    boolean covered = plan.isCovered();
    if (end != null && covered && !end.equals(reportedEnd)) {
      reportedEnd = end;
      effects.emit(end);
    }
  }

  /** All is seen by those who are there; that is not as many as were wanted. */
  private void tooFewCrossChecks(Hash256 tip) {
    if (underCheckedTip == null || !tip.equals(underCheckedTip)) {
      underCheckedTip = tip;
      effects.emit(
          new SyncEvent.TooFewCrossChecks(chain.height(), settings.verify(), plan.seenBy()));
    }
  }

  /** Somebody is missing who alone may be shown a filter. */
  private void withoutGuard(SyncWarning.MissingGuard refusal) {
    if (settings.follow() && (plan.mayComeBack() || reportedEnd != null)) {
      // It is called on and on, and may come back.
      if (!refusal.equals(reportedRefusal)) {
        reportedRefusal = refusal;
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
      unreportedEnd = endAt(chain.hashAt(plan.height()));
    }
    stopping = true;
  }

  private boolean isAllCovered() {
    return isAllSeen() && plan.isCovered();
  }

  /**
   * Whether the limit of bytes alone keeps us from asking for what is missing. Who will say hello
   * before long may have it for less; what is being written may end what is looked for.
   */
  private boolean isHeldUp() {
    if (settings.maxBytes() == 0 || isSomethingOnItsWay()) {
      return false;
    }

    return depths.heldUp().isPresent()
        || budget.holdsUpBlocks(plan.askable())
        || (budget.holdsUpHeaders(headers.askable()) && !dialer.hasMore());
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
