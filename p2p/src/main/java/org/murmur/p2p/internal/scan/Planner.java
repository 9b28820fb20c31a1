package org.murmur.p2p.internal.scan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Heights;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.peers.Pace;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.scan.Stripes.Range;
import org.murmur.p2p.internal.wire.Message;

/**
 * Chooses each peer's next blocks.
 *
 * <p>Uncovered blocks, minus those promised, go in small ascending chunks to all peers that serve
 * BIP-0037. Each peer gets what its {@link Pace} can serve in a moment, so that all are busy and
 * end together. Blocks without a scan for scripts go first. Blocks that are only scanned again for
 * outpoints follow when all outpoints are known.
 *
 * <p>Where one peer is enough for each block, {@link Stripes} divide the blocks among the peers.
 */
public final class Planner extends Part<ScanPeer> {

  /** Fewer blocks than this do not justify a filter for a further peer. */
  private static final int WORTH_A_FILTER = 400;

  /** Nor does less than this much of the first peer's time, in seconds. */
  private static final double WORTH_THE_TIME = 0.5;

  /** With this many blocks to come, every peer will get some of them. */
  private static final int MANY = 1_000;

  /**
   * Maximum open requests to one peer. In a storm, blocks are announced one by one, faster than
   * they are served. Each would be a request of its own, and every plan scans all of them. After
   * some answers, the rest goes into one request.
   */
  private static final int MANY_CHUNKS = 64;

  private static final NodeAddress ANYBODY = new NodeAddress("anybody", 1);

  private final WatchedLog log;
  private final Scanned scanned;
  private final Scanners<?> scanners;
  private final SharedFilters filters;
  private final Stripes stripes;
  private final int wanted;
  // The state of changes of this plan; later requests are subtracted.
  private long plannedAt = -1;
  private @Nullable Coverage coverage;
  // The remaining heights of every peer, and the heights that lack one more peer, two more, and so
  // on.
  private final Map<NodeAddress, Coverage.Needs> needs = new HashMap<>();
  private final List<Heights> lacking = new ArrayList<>();

  public Planner(
      Part<? extends ScanPeer> machine,
      Scanned scanned,
      Scanners<?> scanners,
      SharedFilters filters) {
    super(machine);
    this.log = scanned.log();
    this.scanned = scanned;
    this.scanners = scanners;
    this.filters = filters;
    this.stripes = new Stripes(roster, scanned, scanners);
    this.wanted = settings.preset().verify();
  }

  /** The highest block of the chain. */
  int tip() {
    return chain.height();
  }

  /**
   * Whether to send a filter while headers still arrive. There are certainly many blocks to scan,
   * so the first request can go out a write and a round trip earlier.
   */
  boolean isSoonNeeded(ScanPeer peer) {
    Message.Version version = peer.version();
    OptionalInt birthday = scanned.birthdays().height();
    return peer.filter().load() == null
        && version != null
        && !peer.isPruned()
        && log.size() > 0
        && birthday.isPresent()
        && version.startHeight() - Math.max(chain.height(), birthday.getAsInt()) >= MANY;
  }

  /** Whether every element was scanned for in every block, by the requested number of peers. */
  boolean isCovered() {
    for (ScanPeer peer : roster.peers()) {
      if (peer.scan().inFlight() > 0 && !peer.scan().isOverdue()) {
        return false;
      }
    }
    refresh();
    // While the birthday lies above the last header there is nothing to scan.
    return lacking.get(0).isEmpty();
  }

  /** Whether a peer owes blocks, or keeps some that are to be requested: perhaps not now. */
  boolean isOfUse(ScanPeer peer) {
    refresh();
    Coverage.Needs mine = needs(peer);
    return peer.scan().inFlight() > 0
        || !kept(peer, mine.fresh()).isEmpty()
        || !kept(peer, mine.again()).isEmpty();
  }

  /** Whether there are blocks to request from a peer, even if its pipeline is full. */
  boolean hasWork(ScanPeer peer) {
    refresh();
    Coverage.Needs mine = needs(peer);
    return mayJoin(peer, mine)
        && !(toAsk(peer, mine.fresh()).isEmpty() && toAsk(peer, mine.again()).isEmpty());
  }

  /** How many of the requested different peers saw every block. */
  int seenBy() {
    refresh();
    for (int lack = 0; lack < lacking.size(); lack++) {
      if (lacking.get(lack).isEmpty()) {
        return wanted - lack;
      }
    }
    return 0;
  }

  /** Blocks that are still to be requested. */
  long left() {
    refresh();
    return lacking.stream().mapToLong(Heights::count).sum() + filters.passes().later();
  }

  /** Whether a peer shares its work with no other. */
  boolean isAlone() {
    return scanners.atWork().size() <= wanted;
  }

  /**
   * Whether a peer should get another request now: its pipeline is not full, nor has it its share.
   */
  boolean hasRoom(ScanPeer peer) {
    if (peer.scan().inFlight() == 0) {
      return true;
    }
    if (peer.scan().chunks.size() >= MANY_CHUNKS) {
      return false;
    }
    boolean alone = isAlone();
    if (peer.scan().inFlight() + peer.pace().chunk(alone) > peer.pace().window(alone)) {
      return false;
    }
    return alone || peer.scan().inFlight() <= stripes.share(peer, outstanding());
  }

  /** Blocks to request, and those in flight. */
  private long outstanding() {
    long blocks = left();
    for (ScanPeer peer : roster.peers()) {
      blocks += peer.scan().inFlight();
    }
    return blocks;
  }

  /** The next blocks to request from a peer, or null if there are none. */
  @Nullable Range next(ScanPeer peer) {
    refresh();
    Coverage.Needs mine = needs(peer);
    if (mine.isEmpty() || !mayJoin(peer, mine)) {
      return null;
    }
    boolean alone = isAlone();
    int chunk = peer.pace().chunk(alone);
    Heights fresh = toAsk(peer, mine.fresh());
    if (!fresh.isEmpty()) {
      if (alone || wanted > 1) {
        int from = fresh.firstFrom(peer.scan().cursor() + 1);
        return new Range(from, Math.min(fresh.rangeEnd(from), from + chunk - 1));
      }
      return stripes.next(peer, fresh);
    }
    Heights again = toAsk(peer, mine.again());
    if (again.isEmpty()) {
      return null;
    }
    int from = alone ? again.firstFrom(peer.scan().cursor() + 1) : again.first();
    int part = alone ? chunk : Math.min(chunk, stripes.lastShare(peer, again.count()));
    return new Range(from, Math.min(again.rangeEnd(from), from + part - 1));
  }

  /** These blocks were just requested from a peer whose filter covers what is missing there. */
  void asked(ScanPeer peer, Range range) {
    needs(peer).remove(range.from(), range.to());
    for (int i = 0; i < lacking.size(); i++) {
      // Heights that lacked one more than this many lack this many now.
      Heights more = i + 1 < lacking.size() ? lacking.get(i + 1) : new Heights();
      lacking.get(i).remove(range.from(), range.to()).addAll(more.within(range.from(), range.to()));
    }
    Heights done = new Heights().add(range.from(), range.to()).removeAll(lacking.get(0));
    needs.values().forEach(theirs -> theirs.removeAll(done));
  }

  /** Whether some blocks may be requested under a peer's filter. */
  boolean mayAskUnder(ScanPeer peer, Range range) {
    return filters.isSound(peer)
        && (filters.holdsAllOf(peer, range.from(), range.to(), coverage)
            || (!isAlone() && stripes.willBeScannedAgain(peer, range.from(), needs(peer).fresh())));
  }

  /** Gives the work of overdue peers to others; returns when to check again. */
  @Nullable Instant watch() {
    Instant next = null;
    if (roster.size() < 2) {
      return null;
    }
    for (ScanPeer peer : roster.peers()) {
      if (peer.scan().inFlight() == 0 || peer.scan().isOverdue()) {
        continue;
      }
      Instant due = peer.scan().servedAt().plus(peer.pace().patience());
      if (!effects.now().isBefore(due)) {
        peer.scan().becomesOverdue();
        effects.changed();
      } else if (next == null || due.isBefore(next)) {
        next = due;
      }
    }
    return next;
  }

  private void refresh() {
    if (plannedAt == effects.changes()) {
      return;
    }
    // This goes first: learning the birthday is itself a change.
    Coverage known = scanned.coverage();
    plannedAt = effects.changes();
    coverage = known;
    needs.clear();
    lacking.clear();
    filters.passes().choose(known, chain.height(), reachable(), wanted);
    for (int more = 1; more <= wanted; more++) {
      lacking.add(
          known == null
              ? new Heights()
              : filters.passes().uncovered(known, chain.height(), wanted - more + 1));
    }
  }

  /** By how many different peers a pass can be covered now: a later one needs not wait for more. */
  private int reachable() {
    return Math.max(1, Math.min(wanted, scanners.all().size()));
  }

  private Coverage.Needs needs(ScanPeer peer) {
    Coverage known = coverage;
    // If one peer is enough, all peers have the same blocks left.
    NodeAddress asked = wanted == 1 ? ANYBODY : peer.link().address();
    Coverage.Needs left = needs.get(asked);
    if (left == null) {
      left = new Coverage.Needs(new Heights(), new Heights());
      if (known != null && !lacking.get(0).isEmpty()) {
        NodeAddress served = wanted == 1 ? null : asked;
        left = known.needs(chain.height(), wanted, served, filters.passes().part());
        left.retainAll(lacking.get(0));
      }
      needs.put(asked, left);
    }
    return left;
  }

  /** Every further peer learns a filter, so a little work is left to the first. */
  private boolean mayJoin(ScanPeer peer, Coverage.Needs mine) {
    ScanPeer first = scanners.first();
    if (peer == first || peer.filter().load() != null || wanted > 1 || first == null) {
      return true;
    }
    return mine.count() > Math.max(WORTH_A_FILTER, first.pace().rate() * WORTH_THE_TIME);
  }

  /** The blocks among these that a peer keeps. */
  private Heights kept(ScanPeer peer, Heights all) {
    int tip = chain.height();
    return peer.isPruned() ? all.within(peer.scan().lowestKept(tip), tip) : all;
  }

  /** The first remaining block that a peer does not keep. */
  OptionalInt firstBeyond(ScanPeer peer) {
    refresh();
    Heights left = needs(peer).fresh().copy().addAll(needs(peer).again());
    boolean beyond = !left.isEmpty() && left.first() < peer.scan().lowestKept(chain.height());
    return beyond ? OptionalInt.of(left.first()) : OptionalInt.empty();
  }

  /** The blocks among these that a peer keeps and has not skipped. */
  private Heights toAsk(ScanPeer peer, Heights all) {
    Heights kept = kept(peer, all);
    return peer.scan().passedOver.isEmpty() ? kept : peer.scan().passedOver.without(kept.copy());
  }
}
