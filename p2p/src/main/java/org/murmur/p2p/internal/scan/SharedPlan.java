package org.murmur.p2p.internal.scan;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.headers.Birthdays;
import org.murmur.p2p.internal.headers.HeaderSync;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Effects;
import org.murmur.p2p.internal.peers.Journal;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.scan.Scanners.Prospect;
import org.murmur.p2p.internal.scan.Stripes.Range;
import org.murmur.p2p.internal.sync.Load;

/**
 * The fast preset: every peer scans for everything, and they share the blocks.
 *
 * <p>The {@link Planner} chooses the next blocks. If a peer's filter does not cover them, {@link
 * SharedFilters} updates it first.
 */
public final class SharedPlan extends FilteredPlan {

  private final Effects effects;
  private final Journal journal;
  private final HeaderSync headers;
  private final Birthdays birthdays;
  private final Scanners<?> scanners;
  private final SharedFilters filters;
  private final Planner planner;
  private @Nullable Instant overdueAt;

  public SharedPlan(
      Part<? extends ScanPeer> machine,
      HeaderSync headers,
      Birthdays birthdays,
      Scanners<?> scanners,
      SharedFilters filters,
      Planner planner,
      BlockScan scan) {
    super(scan);
    this.effects = machine.effects;
    this.journal = machine.journal;
    this.headers = headers;
    this.birthdays = birthdays;
    this.scanners = scanners;
    this.filters = filters;
    this.planner = planner;
  }

  @Override
  public void plan() {
    birthdays.resolve();
    if (scan.takeFound() && !planner.isAlone()) {
      // The sooner other filters hold a find, the fewer blocks are scanned again.
      journal.hurry();
    }
    overdueAt = planner.watch();
    ScanPeer first = scanners.first();
    if (first == null) {
      return;
    }
    plan(first);
    for (ScanPeer peer : scanners.all()) {
      if (peer != first) {
        plan(peer);
      }
    }
  }

  @Override
  public int height() {
    return planner.tip();
  }

  @Override
  public boolean isCovered() {
    return planner.isCovered();
  }

  @Override
  public boolean isExhausted() {
    return prospects().allMatch(each -> each == Prospect.NOTHING);
  }

  @Override
  public boolean isHeldUp() {
    return Scanners.isHeldUp(prospects());
  }

  private Stream<Prospect> prospects() {
    return scanners.all().stream().map(this::prospect);
  }

  private Prospect prospect(ScanPeer peer) {
    if (!planner.isOfUse(peer)) {
      return Prospect.NOTHING;
    }
    return mayAsk(peer) && planner.hasWork(peer) ? scanners.prospect(peer) : Prospect.LATER;
  }

  /** A peer that keeps all blocks gets the requests for older ones, if there is one. */
  @Override
  public OptionalInt beyond(ScanPeer peer) {
    boolean others = !scanners.all(other -> !other.isPruned()).isEmpty();
    return peer.isPruned() && scanners.mayScan(peer) && headers.areDone() && !others
        ? planner.firstBeyond(peer)
        : OptionalInt.empty();
  }

  @Override
  public int seenBy() {
    return planner.seenBy();
  }

  @Override
  protected long unasked() {
    return planner.left();
  }

  @Override
  public boolean wasUseful(ScanPeer peer) {
    return peer.scan().blocksServed() + peer.headers().served() > 0;
  }

  @Override
  public void setAlarm(Alarm alarm) {
    super.setAlarm(alarm);
    alarm.at(overdueAt);
  }

  private void plan(ScanPeer peer) {
    ScanLink link = peer.scan();
    FilterSession filter = peer.filter();
    if (!mayAsk(peer)) {
      return;
    }
    if (filter.isDraining()) {
      filter.goOnDraining(link.inFlight() > 0, journal, effects);
      if (!filter.isDrained(journal)) {
        return;
      }
    }
    if (link.isToAskAgain(effects.now())) {
      effects.changed();
      link.passedOver.clear();
    }
    if (planner.isSoonNeeded(peer)) {
      filters.refresh(peer);
      return;
    }
    if (peer.headers().isAsked() && peer.tip().isDoubtful(planner.tip())) {
      // Its headers will show whether it has any of our blocks; if not, it need not get a filter.
      return;
    }
    while (!filter.isRecording()
        && !link.isIdle(effects.changes())
        && scanners.allowed(peer, 1) > 0
        && planner.hasRoom(peer)
        && link.inFlight() < filters.window(peer)) {
      long before = effects.changes();
      if (!askOne(peer)) {
        link.idle(before);
      }
    }
  }

  private boolean mayAsk(ScanPeer peer) {
    return scanners.mayAsk(peer) && !beyond(peer).isPresent();
  }

  /** Requests the next blocks; returns whether more may be requested. */
  private boolean askOne(ScanPeer peer) {
    Range next = planner.next(peer);
    if (next == null) {
      return false;
    }
    Load load = peer.filter().load();
    if (load == null || !planner.mayAskUnder(peer, next)) {
      filters.refresh(peer);
      return false;
    }
    int room = filters.window(peer) - peer.scan().inFlight();
    int blocks = scanners.allowed(peer, Math.min(room, next.to() - next.from() + 1));
    Range allowed = new Range(next.from(), next.from() + blocks - 1);
    scan.ask(peer, load, allowed.from(), allowed.to());
    planner.asked(peer, allowed);
    return true;
  }
}
