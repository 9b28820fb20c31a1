package org.murmur.p2p.scan;

import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.cover.Coverage;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.ScanBook;
import org.murmur.p2p.cover.WatchedLog;
import org.murmur.p2p.filters.FilterSession;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.peers.Journal;
import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.sync.FilterPolicy;
import org.murmur.p2p.sync.Load;

/**
 * The filters of the fast preset: each peer holds all elements of the log, as of some moment.
 *
 * <p>Before a whole new filter is sent, the peer's pipeline is drained and written. So the new one
 * holds every coin that the old one found.
 */
public final class SharedFilters {

  /** Elements added one by one; for more of them, a new filter is shorter and reveals less. */
  private static final int MAX_ADDS = 400;

  private final Effects effects;
  private final Journal journal;
  private final Scanned scanned;
  private final WatchedLog log;
  private final ScanBook book;
  private final FilterPolicy policy;

  public SharedFilters(Effects effects, Journal journal, Scanned scanned, FilterPolicy policy) {
    this.effects = effects;
    this.journal = journal;
    this.scanned = scanned;
    this.log = scanned.log();
    this.book = scanned.book();
    this.policy = policy;
  }

  /** Whether a peer's filter matches a payment or a spend of any open element. */
  public boolean holdsEverything(Peer peer) {
    FilterSession filter = FilterSession.of(peer);
    Load load = filter.load();
    if (load == null || filter.isRecording()) {
      return false;
    }
    Coverage coverage = filter.elements() < log.size() ? scanned.coverage() : null;
    for (int i = filter.elements(); i < log.size(); i++) {
      boolean open = log.get(i).end() == Element.OPEN;
      if (open && (coverage == null || !coverage.shows(i, load.view()))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a peer's filter holds every relevant element at some heights. */
  boolean holdsAllOf(Peer peer, int from, int to, @Nullable Coverage coverage) {
    FilterSession filter = FilterSession.of(peer);
    Load load = filter.load();
    for (int i = filter.elements(); i < log.size(); i++) {
      Element element = log.get(i);
      boolean matters = element.birth() <= to && element.end() >= from;
      if (matters && (load == null || coverage == null || !coverage.shows(i, load.view()))) {
        return false;
      }
    }
    return true;
  }

  /** Whether blocks may be requested under a peer's filter, as far as it goes. */
  boolean isSound(Peer peer) {
    FilterSession filter = FilterSession.of(peer);
    Load load = filter.load();
    return load != null && !policy.isWorn(load, log.size(), filter.matched());
  }

  /** Brings the filter of a peer up to date with the log. */
  public void refresh(Peer peer) {
    FilterSession filter = FilterSession.of(peer);
    Load load = filter.load();
    if (load != null && log.size() - filter.elements() <= MAX_ADDS && isSound(peer)) {
      filter.show(grown(filter, load), journal, effects);
    } else if (filter.drain(ScanLink.of(peer).inFlight() > 0, journal, effects)) {
      filter.show(
          new Load(
              book.newId(),
              peer.link().address(),
              new Content.Prefix(log.size()),
              policy.filter(log, effects.dice().nextInt()),
              effects.clock().getEpochSecond()),
          journal,
          effects);
    }
  }

  private Load grown(FilterSession session, Load load) {
    BloomFilter filter = load.filter();
    for (int i = session.elements(); i < log.size(); i++) {
      filter = filter.with(log.get(i).data());
    }
    return new Load(load.id(), load.peer(), new Content.Prefix(log.size()), filter, load.time());
  }
}
