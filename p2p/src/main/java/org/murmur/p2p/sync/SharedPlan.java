package org.murmur.p2p.sync;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.UpdateFlag;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.cover.Coverage;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.wire.Message;

/**
 * The fast preset: everybody looks for everything, and shares the blocks.
 *
 * <p>The {@link Planner} says which blocks come next. If the filter a peer holds would not cover
 * them it is brought up to date first; before a whole new filter is sent the peer's pipeline is
 * drained and written, so that the new one holds every coin that the old one found.
 */
final class SharedPlan implements ScanPlan {

  /**
   * Elements that are added one by one; more of them, and a new filter is shorter and says less.
   */
  private static final int MOST_ADDS = 400;

  /** So many blocks to come that every peer will be asked for some of them. */
  private static final int MANY = 1_000;

  private final Session session;
  private final BlockScan scan;
  private final Planner planner;
  private final FilterPolicy policy;
  private @Nullable Instant overdueAt;

  SharedPlan(Session session, BlockScan scan) {
    this.session = session;
    this.scan = scan;
    this.planner = new Planner(session);
    this.policy = new FilterPolicy(session.settings.rate());
  }

  @Override
  public void plan() {
    if (session.settings.headersOnly()) {
      return;
    }
    overdueAt = planner.watch();
    Peer first = session.scanner();
    if (first == null) {
      return;
    }
    plan(first);
    if (session.peers.size() > 1) {
      for (Peer peer : session.peers.values()) {
        if (peer != first && peer.servesBloom()) {
          plan(peer);
        }
      }
    }
  }

  @Override
  public int height() {
    return session.chain.height();
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
    return session.peers(peer -> peer.servesBloom() && mayBeAsked(peer) && planner.hasWork(peer));
  }

  /** Somebody who keeps all blocks is asked for the older ones, if anybody is there. */
  @Override
  public OptionalInt beyond(Peer peer) {
    if (!peer.isPruned() || !peer.servesBloom() || !session.headersDone()) {
      return OptionalInt.empty();
    }
    for (Peer other : session.peers.values()) {
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

  @Override
  public UnconfirmedQuery mempool(Relay relay) {
    return new MempoolQuery(session, this, relay);
  }

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
    return ScanLink.of(peer).blocksServed + HeaderTalk.of(peer).served > 0;
  }

  @Override
  public @Nullable Instant overdueAt() {
    return overdueAt;
  }

  private void plan(Peer peer) {
    if (!mayBeAsked(peer) || (FilterSession.of(peer).draining && !isDrained(peer))) {
      return;
    }
    if (ScanLink.of(peer).askAgainAt != null
        && !session.now.isBefore(ScanLink.of(peer).askAgainAt)
        && ScanLink.of(peer).doubts.isEmpty()) {
      session.changes++;
      ScanLink.of(peer).askAgainAt = null;
      ScanLink.of(peer).refused.remove(0, Integer.MAX_VALUE - 1);
    }
    if (isToPrepare(peer)) {
      refresh(peer);
      return;
    }
    if (HeaderTalk.of(peer).isAsked() && Tip.of(peer).isDoubtful(session.chain.height())) {
      // Its headers will tell whether it has any of our blocks; without, it need not see a filter.
      return;
    }
    while (session.changes != ScanLink.of(peer).idleSince
        && session.budget.allowsBlocks(peer)
        && planner.hasRoom(peer)
        && !session.journal.isFull()) {
      if (!askOne(peer)) {
        ScanLink.of(peer).idleSince = session.changes;
      }
    }
  }

  private boolean mayBeAsked(Peer peer) {
    return FilterSession.of(peer).nextLoad == null
        && !ScanLink.of(peer).overdue
        && !Tip.of(peer).isApart()
        && !session.settlement.isAccused(peer)
        && !beyond(peer).isPresent();
  }

  /**
   * Whether a filter is to go out while the headers are still coming: it is certain that there is a
   * lot to look through, so the first blocks can be asked for a write and a round trip earlier.
   */
  private boolean isToPrepare(Peer peer) {
    Message.Version version = peer.version;
    OptionalInt birthday = session.birthdayHeight();
    return FilterSession.of(peer).load == null
        && version != null
        && !peer.isPruned()
        && session.log.size() > 0
        && birthday.isPresent()
        && version.startHeight() - Math.max(session.chain.height(), birthday.getAsInt()) >= MANY;
  }

  /** Whether what a peer was asked for under its filter has come and is on disk. */
  private boolean isDrained(Peer peer) {
    if (ScanLink.of(peer).inFlight > 0) {
      return false;
    }
    if (FilterSession.of(peer).drained < 0) {
      FilterSession.of(peer).drained = session.journal.holdingTransactions();
      session.changes++;
    }
    if (!session.journal.isWritten(FilterSession.of(peer).drained)) {
      session.journal.hurry();
      return false;
    }
    return true;
  }

  /** Whether the scanner's filter would see a payment or a spend of anything that is still open. */
  boolean holdsEverything(Peer peer) {
    Load load = FilterSession.of(peer).load;
    if (load == null || FilterSession.of(peer).nextLoad != null) {
      return false;
    }
    Coverage coverage =
        FilterSession.of(peer).elements < session.log.size() ? session.coverage() : null;
    for (int i = FilterSession.of(peer).elements; i < session.log.size(); i++) {
      Element element = session.log.get(i);
      boolean open = element.end() == Element.OPEN;
      if (open
          && (coverage == null || !coverage.holds(i, load.id(), FilterSession.of(peer).elements))) {
        return false;
      }
    }
    return true;
  }

  /** Brings the filter a peer holds up to date with the log. */
  void refresh(Peer peer) {
    Load load = FilterSession.of(peer).load;
    int missing = session.log.size() - FilterSession.of(peer).elements;
    if (load != null
        && !session.book.isDistrusted(load)
        && missing <= MOST_ADDS
        && !policy.isWorn(load, session.log.size(), FilterSession.of(peer).matched)) {
      scan.recordThenSend(peer, grown(peer, load));
      return;
    }
    if (!FilterSession.of(peer).draining) {
      FilterSession.of(peer).draining = true;
      FilterSession.of(peer).drained = -1;
    }
    if (!isDrained(peer)) {
      session.journal.hurry();
      return;
    }
    FilterSession.of(peer).draining = false;
    Load next =
        new Load(
            session.book.newLoadId(),
            peer.link.address(),
            new Content.Prefix(session.log.size()),
            policy.filter(session.log, session.dice.nextInt(), flag(peer)),
            session.clock().getEpochSecond());
    scan.recordThenSend(peer, next);
  }

  /**
   * Of a server that was seen not to add nobody expects it under this flag, nor does who reads the
   * file later; and unlike under {@code UPDATE_NONE} what matches by chance is counted.
   */
  private UpdateFlag flag(Peer peer) {
    return session.notAdding.contains(peer.link.address())
        ? UpdateFlag.P2PUBKEY_ONLY
        : UpdateFlag.ALL;
  }

  private boolean askOne(Peer peer) {
    Planner.Range range = planner.next(peer);
    if (range == null) {
      return false;
    }
    Load load = FilterSession.of(peer).load;
    if (load == null
        || session.book.isDistrusted(load)
        || policy.isWorn(load, session.log.size(), FilterSession.of(peer).matched)
        || !(planner.suffices(peer, load, range) || planner.looksAgainAnyway(peer, range))) {
      refresh(peer);
      return false;
    }
    int blocks = session.budget.blocks(peer, range.to() - range.from() + 1);
    Planner.Range allowed = new Planner.Range(range.from(), range.from() + blocks - 1);
    scan.ask(peer, load, allowed.from(), allowed.to());
    planner.asked(peer, allowed);
    return true;
  }

  private Load grown(Peer peer, Load load) {
    var filter = load.filter();
    for (int i = FilterSession.of(peer).elements; i < session.log.size(); i++) {
      filter = filter.with(session.log.get(i).data());
    }
    return new Load(
        load.id(), load.peer(), new Content.Prefix(session.log.size()), filter, load.time());
  }
}
