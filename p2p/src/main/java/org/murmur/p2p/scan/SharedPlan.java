package org.murmur.p2p.scan;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.cover.Coverage;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.ScanBook;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.filters.FilterSession;
import org.murmur.p2p.headers.Birthdays;
import org.murmur.p2p.headers.HeaderLink;
import org.murmur.p2p.headers.HeaderSync;
import org.murmur.p2p.headers.Tip;
import org.murmur.p2p.peers.Budget;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Roster;
import org.murmur.p2p.sync.FilterPolicy;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.p2p.wire.Message;

/**
 * The fast preset: everybody looks for everything, and shares the blocks.
 *
 * <p>The {@link Planner} says which blocks come next. If the filter a peer holds would not cover
 * them it is brought up to date first; before a whole new filter is sent the peer's pipeline is
 * drained and written, so that the new one holds every coin that the old one found.
 */
public final class SharedPlan implements ScanPlan {

  /**
   * Elements that are added one by one; more of them, and a new filter is shorter and says less.
   */
  private static final int MAX_ADDS = 400;

  /** So many blocks to come that every peer will be asked for some of them. */
  private static final int MANY = 1_000;

  private final Effects effects;
  private final SyncSettings settings;
  private final HeaderChain chain;
  private final Roster roster;
  private final Journal journal;
  private final Budget budget;
  private final Birthdays birthdays;
  private final HeaderSync headers;
  private final WatchedLog log;
  private final ScanBook book;
  private final Scanned scanned;
  private final Settlement settlement;
  private final BlockScan scan;
  private final Planner planner;
  private final FilterPolicy policy;
  private @Nullable Instant overdueAt;

  public SharedPlan(
      Effects effects,
      SyncSettings settings,
      HeaderChain chain,
      Roster roster,
      Journal journal,
      Budget budget,
      HeaderSync headers,
      Scanned scanned,
      Settlement settlement,
      BlockScan scan) {
    this.effects = effects;
    this.settings = settings;
    this.chain = chain;
    this.roster = roster;
    this.journal = journal;
    this.budget = budget;
    this.birthdays = scanned.birthdays();
    this.headers = headers;
    this.log = scanned.log();
    this.book = scanned.book();
    this.scanned = scanned;
    this.settlement = settlement;
    this.scan = scan;
    this.planner = new Planner(effects, settings, chain, roster, scanned);
    this.policy = new FilterPolicy(settings.rate());
  }

  @Override
  public void plan() {
    if (settings.headersOnly()) {
      return;
    }
    overdueAt = planner.watch();
    Peer first = scanned.scanner();
    if (first == null) {
      return;
    }
    plan(first);
    if (roster.size() > 1) {
      for (Peer peer : roster.peers()) {
        if (peer != first && peer.servesBloom()) {
          plan(peer);
        }
      }
    }
  }

  @Override
  public int height() {
    return chain.height();
  }

  @Override
  public boolean isCovered() {
    return planner.isCovered();
  }

  @Override
  public boolean isExhausted() {
    return planner.isExhausted();
  }

  @Override
  public List<Peer> askable() {
    return roster.peers(peer -> peer.servesBloom() && mayBeAsked(peer) && planner.hasWork(peer));
  }

  /** Somebody who keeps all blocks is asked for the older ones, if anybody is there. */
  @Override
  public OptionalInt beyond(Peer peer) {
    if (!peer.isPruned() || !peer.servesBloom() || !headers.areDone()) {
      return OptionalInt.empty();
    }
    for (Peer other : roster.peers()) {
      if (other.servesBloom() && !other.isPruned()) {
        return OptionalInt.empty();
      }
    }
    return planner.firstBeyond(peer);
  }

  @Override
  public SyncWarning.@Nullable MissingGuard refusal() {
    return null;
  }

  /** Coverage tells by itself. */
  @Override
  public void cutAbove(int height) {}

  @Override
  public int seenBy() {
    return planner.seenBy();
  }

  @Override
  public long left() {
    return planner.left();
  }

  /** The sooner others know, the less is looked at again. */
  @Override
  public boolean findsAreUrgent() {
    return !planner.isAlone();
  }

  @Override
  public boolean wasUseful(Peer peer) {
    return ScanLink.of(peer).blocksServed() + HeaderLink.of(peer).served() > 0;
  }

  @Override
  public @Nullable Instant overdueAt() {
    return overdueAt;
  }

  private void plan(Peer peer) {
    if (!mayBeAsked(peer) || (FilterSession.of(peer).isDraining() && !isDrained(peer))) {
      return;
    }
    ScanLink link = ScanLink.of(peer);
    if (link.passedOver.isDue(effects.now()) && link.doubts.isEmpty()) {
      effects.changed();
      link.passedOver.clear();
    }
    if (isToPrepare(peer)) {
      refresh(peer);
      return;
    }
    if (HeaderLink.of(peer).isAsked() && Tip.of(peer).isDoubtful(chain.height())) {
      // Its headers will tell whether it has any of our blocks; without, it need not see a filter.
      return;
    }
    while (!link.isIdle(effects.changes())
        && budget.allowsBlocks(peer)
        && planner.hasRoom(peer)
        && !journal.isFull()) {
      if (!askOne(peer)) {
        link.idle(effects.changes());
      }
    }
  }

  private boolean mayBeAsked(Peer peer) {
    return !FilterSession.of(peer).isRecording()
        && !ScanLink.of(peer).isOverdue()
        && !Tip.of(peer).isOnOtherChain()
        && !settlement.isAccused(peer)
        && !beyond(peer).isPresent();
  }

  /**
   * Whether a filter is to go out while the headers are still coming: it is certain that there is a
   * lot to look through, so the first blocks can be asked for a write and a round trip earlier.
   */
  private boolean isToPrepare(Peer peer) {
    Message.Version version = peer.version();
    OptionalInt birthday = birthdays.height();
    return FilterSession.of(peer).load() == null
        && version != null
        && !peer.isPruned()
        && log.size() > 0
        && birthday.isPresent()
        && version.startHeight() - Math.max(chain.height(), birthday.getAsInt()) >= MANY;
  }

  /** Whether what a peer was asked for under its filter has come and is on disk. */
  private boolean isDrained(Peer peer) {
    if (ScanLink.of(peer).inFlight() > 0) {
      return false;
    }
    FilterSession filter = FilterSession.of(peer);
    if (filter.drainedBy() < 0) {
      filter.drainedBy(journal.holdingTransactions());
      effects.changed();
    }
    if (!journal.isWritten(filter.drainedBy())) {
      journal.hurry();
      return false;
    }
    return true;
  }

  /** Whether the scanner's filter would see a payment or a spend of anything that is still open. */
  public boolean holdsEverything(Peer peer) {
    Load load = FilterSession.of(peer).load();
    if (load == null || FilterSession.of(peer).isRecording()) {
      return false;
    }
    Coverage coverage = FilterSession.of(peer).elements() < log.size() ? scanned.coverage() : null;
    for (int i = FilterSession.of(peer).elements(); i < log.size(); i++) {
      Element element = log.get(i);
      boolean open = element.end() == Element.OPEN;
      if (open
          && (coverage == null
              || !coverage.holds(i, load.id(), FilterSession.of(peer).elements()))) {
        return false;
      }
    }
    return true;
  }

  /** Brings the filter a peer holds up to date with the log. */
  public void refresh(Peer peer) {
    Load load = FilterSession.of(peer).load();
    int missing = log.size() - FilterSession.of(peer).elements();
    if (load != null
        && missing <= MAX_ADDS
        && !policy.isWorn(load, log.size(), FilterSession.of(peer).matched())) {
      scan.recordThenSend(peer, grown(peer, load));
      return;
    }
    FilterSession.of(peer).drain();
    if (!isDrained(peer)) {
      journal.hurry();
      return;
    }
    FilterSession.of(peer).stopDraining();
    Load next =
        new Load(
            book.newLoadId(),
            peer.link().address(),
            new Content.Prefix(log.size()),
            policy.filter(log, effects.dice().nextInt()),
            effects.clock().getEpochSecond());
    scan.recordThenSend(peer, next);
  }

  private boolean askOne(Peer peer) {
    Planner.Range range = planner.next(peer);
    if (range == null) {
      return false;
    }
    Load load = FilterSession.of(peer).load();
    if (load == null
        || policy.isWorn(load, log.size(), FilterSession.of(peer).matched())
        || !(planner.suffices(peer, load, range) || planner.looksAgainAnyway(peer, range))) {
      refresh(peer);
      return false;
    }
    int blocks = budget.blocks(peer, range.to() - range.from() + 1);
    Planner.Range allowed = new Planner.Range(range.from(), range.from() + blocks - 1);
    scan.ask(peer, load, allowed.from(), allowed.to());
    planner.asked(peer, allowed);
    return true;
  }

  private Load grown(Peer peer, Load load) {
    var filter = load.filter();
    for (int i = FilterSession.of(peer).elements(); i < log.size(); i++) {
      filter = filter.with(log.get(i).data());
    }
    return new Load(load.id(), load.peer(), new Content.Prefix(log.size()), filter, load.time());
  }
}
