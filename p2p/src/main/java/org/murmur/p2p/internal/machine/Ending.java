package org.murmur.p2p.internal.machine;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Heights;
import org.murmur.p2p.internal.dial.Dialer;
import org.murmur.p2p.internal.headers.ClockCheck;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.headers.StaleTip;
import org.murmur.p2p.internal.headers.TipWatch;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Budget;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.internal.pool.Rebroadcast;
import org.murmur.p2p.internal.pool.Relay;
import org.murmur.p2p.internal.pool.UnconfirmedQuery;
import org.murmur.p2p.internal.scan.Depths;
import org.murmur.p2p.internal.scan.ScanPlan;
import org.murmur.p2p.internal.scan.Scanned;
import org.murmur.p2p.internal.scan.Settlement;
import org.murmur.p2p.sync.Limits;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** Decides when a session has done all it can, and reports it. */
final class Ending extends Part<PoolPeer> implements Alarm.Timed {

  private final Budget budget;
  private final Dialer dialer;
  private final HeaderSync headers;
  private final TipWatch tips;
  private final StaleTip stale;
  private final Scanned scanned;
  private final Settlement settlement;
  private final Depths depths;
  private final ScanPlan plan;
  private final Relay relay;
  private final Rebroadcast rebroadcast;
  private final UnconfirmedQuery mempool;
  private final Progress progress;
  private boolean stopping;
  // All is done, except that peers fetch what the user sends.
  private boolean handingOver;
  // The last report that all is seen.
  private @Nullable SyncEvent reportedEnd;
  // The report to emit once all is on disk, in a session that was stopped when all was seen.
  private @Nullable SyncEvent unreportedEnd;
  // The batch with everything known when all was seen, and when the mempools had answered; negative
  // before that. Later data is not waited for: payments may come without end.
  private long seenBy = -1;
  private long overBy = -1;
  private SyncFact.Standing standing = SyncFact.Standing.NOTHING;
  // The peers that announced their pools, and the batch with everything that they announced.
  private Set<NodeAddress> toldLast = Set.of();
  private long toldBy = -1;
  private @Nullable Hash256 underCheckedTip;
  private SyncWarning.@Nullable MissingGuard reportedRefusal;

  Ending(Parts parts, PresetParts preset, Progress progress) {
    super(parts);
    this.progress = progress;
    this.budget = parts.budget;
    this.dialer = parts.dialer;
    this.headers = parts.headers;
    this.tips = parts.tips;
    this.stale = parts.stale;
    this.scanned = parts.scanned;
    this.settlement = parts.settlement;
    this.depths = parts.depths;
    this.plan = preset.plan();
    this.relay = parts.relay;
    this.rebroadcast = parts.rebroadcast;
    this.mempool = preset.mempool();
  }

  /** Whether the session is about to stop. */
  boolean isStopping() {
    return stopping;
  }

  /** Whether the sync is done, and only peers stay that may fetch what the user sends. */
  boolean isHandingOver() {
    return handingOver && !stopping;
  }

  /** The loop has read as many bytes as allowed. */
  void limitReached() {
    if (handingOver) {
      stopping = true;
    } else if (!stopping) {
      spent();
    }
  }

  /** A part of the machine cannot go on. */
  void stop() {
    stopping = true;
  }

  /**
   * Checks whether all is seen and on disk, and reports it: then unconfirmed transactions are
   * queried.
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
    if (!journal.isWritten(seenBy) || versionDue() != null) {
      return false;
    }
    SyncWarning.MissingGuard refusal = covered ? null : plan.refusal();
    if (refusal != null) {
      withoutGuard(refusal);
      return false;
    }
    if (covered && headers.hasSkippedClaims()) {
      // Only a peer's claim of a longer chain is unchecked; it may be true.
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

  /** Reports what is known now, whenever that changed. */
  void reportStanding(boolean scanned) {
    if (!scanned) {
      toldBy = -1;
      stand(SyncFact.Standing.NOTHING);
      return;
    }
    Set<NodeAddress> told = mempool.told();
    if (toldBy < 0 || !told.equals(toldLast)) {
      toldLast = told;
      toldBy = journal.holdingAll();
    }
    boolean written = journal.isWritten(toldBy);
    stand(new SyncFact.Standing(true, mempool.asked(), written ? told : Set.of()));
  }

  private void stand(SyncFact.Standing now) {
    if (!now.equals(standing)) {
      standing = now;
      effects.emit(now);
    }
  }

  /**
   * Whether the unconfirmed transactions are known, and written if the session is to end. A session
   * of headers only that sends something ends by order.
   */
  boolean isAnswered() {
    if (!mempool.isOver() || (settings.headersOnly() && relay.isSending())) {
      return false;
    }
    if (settings.follow() || handingOver) {
      return true;
    }
    overBy = overBy < 0 ? journal.holdingAll() : overBy;
    return mempool.endsUnwritten() || journal.isWritten(overBy);
  }

  /** All is known: ends the session, if no peer may still fetch what the user sends. */
  void stopIfHandedOver() {
    handingOver = !settings.follow();
    stopping |= handingOver && rebroadcast.isOver();
  }

  /** Ends the session if only the byte limit keeps it from going on. */
  void stopIfHeldUp() {
    if (!stopping && !handingOver && isHeldUp()) {
      journal.hurry();
      if (journal.isClean()) {
        spent();
      }
    }
  }

  /**
   * Deadline for peers that were just called: they may know higher blocks. After the first report,
   * a session that follows does not wait for them.
   */
  private @Nullable Instant versionDue() {
    boolean told = settings.follow() && reportedEnd != null;
    return told ? null : dialer.versionDue();
  }

  @Override
  public void setAlarm(Alarm alarm) {
    alarm.at(versionDue());
  }

  /** Whether these peers have nothing more to serve. */
  private boolean isAllSeen() {
    return isAllScanned() && settlement.isSpotChecked();
  }

  /** Whether these peers have no more blocks to serve, except for spot checks. */
  boolean isAllScanned() {
    if (!headers.areDone() || tips.areAllOnOtherChains() || dialer.lacksScanner()) {
      return false;
    }
    return plan.isCovered() || (!tips.isUndecided() && plan.isExhausted() && !dialer.hasMore());
  }

  /**
   * All data of these peers is seen; reported once for each tip, and again if the clock was at
   * fault.
   */
  private void complete(Hash256 tip) {
    SyncEvent end = endAt(tip);
    if (reportedEnd != null && end.equals(reportedEnd)) {
      return;
    }
    reportedEnd = end;
    progress.isNews();
    dialer.warnOfOneGroup();
    effects.emit(end);
  }

  private SyncEvent endAt(Hash256 tip) {
    return ClockCheck.behind(effects, roster)
        .<SyncEvent>map(by -> new SyncWarning.ClockBehind(plan.height(), tip, by))
        .orElseGet(
            () ->
                stale.isOfLongAgo()
                    ? new SyncFact.EndsLongAgo(plan.height(), tip)
                    : new SyncFact.Complete(plan.height(), tip));
  }

  /** Reports the end, unless the last commit uncovered something. */
  void sayEnd() {
    SyncEvent end = unreportedEnd;
    boolean covered = plan.isCovered();
    if (end != null && covered && !end.equals(reportedEnd)) {
      reportedEnd = end;
      effects.emit(end);
    }
  }

  /** These peers' data is seen, but by fewer peers than requested, or they lack a block. */
  private void tooFewCrossChecks(Hash256 tip) {
    if (underCheckedTip == null || !tip.equals(underCheckedTip)) {
      underCheckedTip = tip;
      OptionalInt witnesses = plan.witnesses();
      boolean byFilters = witnesses.isPresent();
      int wanted = byFilters ? settings.preset().filterPeers() : settings.preset().verify();
      int seen = byFilters ? witnesses.getAsInt() : plan.seenBy();
      Coverage coverage = byFilters ? scanned.byBlockFilters() : scanned.coverage();
      Heights open =
          seen < wanted || coverage == null
              ? new Heights()
              : coverage.uncovered(chain.height(), wanted);
      effects.emit(
          open.isEmpty()
              ? new SyncFact.TooFewCrossChecks(chain.height(), wanted, seen, byFilters)
              : new SyncWarning.BlockNotServed(open.first()));
    }
  }

  /** A guard is missing, and no other peer may get its filter. */
  private void withoutGuard(SyncWarning.MissingGuard refusal) {
    if (settings.follow() && (plan.mayComeBack() || reportedEnd != null)) {
      // The machine keeps calling it, and it may come back.
      if (!refusal.equals(reportedRefusal)) {
        reportedRefusal = refusal;
        effects.emit(refusal);
      }
      return;
    }
    effects.emit(new SyncFact.NoUsablePeer(refusal));
    stopping = true;
  }

  /** The byte limit ends the session. */
  private void spent() {
    depths
        .heldUp()
        .ifPresent(
            doubt ->
                effects.emit(new SyncWarning.NoBytesForWholeBlock(doubt.block(), doubt.height())));
    effects.emit(new SyncFact.BudgetSpent());
    stopping = true;
  }

  /** Ends when no peer can be used any more. */
  void stopIfNobodyIsUsable() {
    SyncFact.NoUsablePeer none = dialer.noUsablePeer();
    if (none != null) {
      effects.emit(none);
      stopping = true;
    }
  }

  /**
   * The user ends the session. A user who sends something must learn if no peer was there to get
   * it.
   */
  void end() {
    SyncFact.NoUsablePeer none = relay.isSending() && !stopping ? dialer.nobodyYet() : null;
    if (none != null) {
      effects.emit(none);
    }
    if (!stopping && isAllCovered() && versionDue() == null && plan.refusal() == null) {
      unreportedEnd = endAt(chain.hashAt(plan.height()));
    }
    stopping = true;
  }

  private boolean isAllCovered() {
    return isAllSeen() && plan.isCovered();
  }

  /**
   * Whether only the byte limit prevents requests for what is missing. Peers that are still
   * connecting may have it for fewer bytes. A pending write may end the search.
   */
  private boolean isHeldUp() {
    if (settings.limits().bytes() == Limits.UNLIMITED || isSomethingOnItsWay()) {
      return false;
    }

    return depths.heldUp().isPresent()
        || plan.isHeldUp()
        || (budget.holdsUpHeaders(headers.askable()) && !dialer.hasMore());
  }

  /** Whether a connected peer owes an answer, or waits for its filter to be recorded. */
  private boolean isSomethingOnItsWay() {
    return roster.peers().stream()
        .anyMatch(
            peer -> peer.filter().isRecording() || (peer.isReady() && peer.questions().owes()));
  }
}
