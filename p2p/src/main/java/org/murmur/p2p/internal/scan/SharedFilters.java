package org.murmur.p2p.internal.scan;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.Passes;
import org.murmur.p2p.internal.cover.ScanBook;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.sync.FilterPolicy;
import org.murmur.p2p.internal.sync.Load;

/**
 * The filters of the fast preset: each peer holds all elements of the log, as of some moment.
 *
 * <p>Before a whole new filter is sent, the peer's pipeline is drained and written. So the new one
 * holds every coin that the old one found.
 */
public final class SharedFilters extends Part<ScanPeer> {

  /** Elements added one by one; for more of them, a new filter is shorter and reveals less. */
  private static final int MAX_ADDS = 400;

  private final Scanned scanned;
  private final WatchedLog log;
  private final ScanBook book;
  private final FilterPolicy policy;
  private final Passes passes;

  public SharedFilters(Part<? extends ScanPeer> machine, Scanned scanned, FilterPolicy policy) {
    super(machine);
    this.scanned = scanned;
    this.log = scanned.log();
    this.book = scanned.book();
    this.policy = policy;
    this.passes = new Passes(scanned.log().view(), policy.maxElements());
  }

  /** Which elements the filters hold. */
  Passes passes() {
    return passes;
  }

  /**
   * Whether a peer's filter matches a payment or a spend of any open element, as far as one filter
   * can.
   */
  public boolean holdsEverything(ScanPeer peer) {
    if (settings.preset().poolNode().isPresent()) {
      // No block is requested under it, so no plan makes passes over blocks.
      passes.choose(null, 0, 1, 1);
    }
    FilterSession filter = peer.filter();
    Load load = filter.load();
    if (load == null || filter.isRecording()) {
      return false;
    }
    BitSet missing = missing(load.content());
    Coverage coverage = missing.isEmpty() ? null : scanned.coverage();
    for (int i = missing.nextSetBit(0); i >= 0; i = missing.nextSetBit(i + 1)) {
      boolean open = log.get(i).end() == Element.OPEN;
      if (open && (coverage == null || !coverage.shows(i, load.view()))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a peer's filter holds every element of this pass that matters at some heights. */
  boolean holdsAllOf(ScanPeer peer, int from, int to, @Nullable Coverage coverage) {
    FilterSession filter = peer.filter();
    Load load = filter.load();
    if (load == null) {
      return false;
    }
    return missing(load.content()).stream()
        .filter(i -> log.get(i).birth() <= to && log.get(i).end() >= from)
        .allMatch(i -> coverage != null && coverage.shows(i, load.view()));
  }

  /** Whether one filter holds everything that a new transaction may pay or spend. */
  public boolean holdAllLive() {
    return passes.holdAllLive();
  }

  /** The elements of this pass that a filter did not hold when it was sent. */
  private BitSet missing(Content content) {
    BitSet part = passes.part();
    BitSet missing = new BitSet();
    if (part != null) {
      missing.or(part);
    } else {
      missing.set(0, log.size());
    }
    BitSet held = new BitSet();
    content.addTo(held);
    missing.andNot(held);
    return missing;
  }

  /** Whether blocks may be requested under a peer's filter, as far as it goes. */
  boolean isSound(ScanPeer peer) {
    FilterSession filter = peer.filter();
    Load load = filter.load();
    return load != null && !policy.isWorn(load, passes.size(), filter.matched());
  }

  /** How many blocks may be in flight under a peer's filter; any number if it has none yet. */
  int window(ScanPeer peer) {
    FilterSession filter = peer.filter();
    Load load = filter.load();
    return load == null
        ? Integer.MAX_VALUE
        : policy.window(
            load,
            passes.size(),
            filter.served(),
            filter.matched(),
            log.coinsAdded() / (double) (1 + scanned.blocks()));
  }

  /** Brings the filter of a peer up to date with the log. */
  public void refresh(ScanPeer peer) {
    FilterSession filter = peer.filter();
    Load load = filter.load();
    boolean sound = isSound(peer);
    if (load != null
        && sound
        && passes.part() == null
        && load.content() instanceof Content.Prefix
        && log.size() - filter.elements() <= MAX_ADDS) {
      filter.show(grown(filter, load), journal, effects);
      return;
    }
    filter.drain(peer.scan().inFlight() > 0, journal, effects);
    if (!filter.isDrained(journal)) {
      return;
    }
    if (!sound && passes.end()) {
      // The next part takes in what this filter found.
      effects.changed();
    } else {
      replace(peer, filter);
    }
  }

  private void replace(ScanPeer peer, FilterSession filter) {
    BitSet part = passes.part();
    BitSet members = new BitSet();
    if (part == null) {
      members.set(0, log.size());
    } else {
      members.or(part);
      passes.begin();
    }
    filter.show(
        new Load(
            book.newId(),
            peer.link().address(),
            part == null ? new Content.Prefix(log.size()) : new Content.Part(part),
            policy.filter(log, members, log.coinsAdded(), peer.link().address()),
            effects.clock().getEpochSecond()),
        journal,
        effects);
  }

  private Load grown(FilterSession session, Load load) {
    BloomFilter filter = load.filter();
    for (int i = session.elements(); i < log.size(); i++) {
      filter = filter.with(log.get(i).data());
    }
    return new Load(load.id(), load.peer(), new Content.Prefix(log.size()), filter, load.time());
  }
}
