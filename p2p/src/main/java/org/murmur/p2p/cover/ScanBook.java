package org.murmur.p2p.cover;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.discovery.PeerAddress;

/** The record of the scan: loads and rows, on disk and about to be written. */
public final class ScanBook {

  private final Map<Long, Load> loads = new HashMap<>();
  private final TreeMap<Long, ScanRow> rows = new TreeMap<>();
  private long nextLoad;
  private long nextRow;

  /**
   * Blocks that were requested from a peer and not served yet.
   *
   * @param load the filter's load
   * @param elements how many elements of the log the filter held at the request
   * @param from the first height
   * @param to the last height
   */
  public record Promise(Load load, int elements, int from, int to) {}

  /**
   * Makes a book of the loads and rows on disk.
   *
   * @param loads all of them
   * @param rows all of them
   * @param nextLoadId above those of all loads there ever were
   * @param nextRowId above those of all rows there ever were
   */
  public ScanBook(
      Collection<Load> loads, Collection<ScanRow> rows, long nextLoadId, long nextRowId) {
    loads.forEach(load -> this.loads.put(load.id(), load));
    rows.forEach(row -> this.rows.put(row.id(), row));
    this.nextLoad = nextLoadId;
    this.nextRow = nextRowId;
  }

  /**
   * Makes a load with a new id. It counts once it is sent: see {@link #add}.
   *
   * @param peer the peer that will get it
   * @param content what the filter holds
   * @param filter the filter
   * @param time now, seconds since 1970
   * @return the load
   */
  public Load newLoad(PeerAddress peer, Content content, BloomFilter filter, long time) {
    return new Load(nextLoad++, peer, content, filter, time);
  }

  /**
   * Returns the last load of every epoch that any peer ever got.
   *
   * @return in order of their ids
   */
  public Collection<Load> lastOfEpochs() {
    TreeMap<Long, Load> byId = new TreeMap<>(loads);
    List<Load> last = new ArrayList<>();
    for (Load load : byId.values()) {
      if (load.content() instanceof Content.Epoch epoch) {
        last.removeIf(earlier -> epoch.isSameEpoch(earlier.content()));
        last.add(load);
      }
    }
    return last;
  }

  /**
   * Returns the heights that were served under an epoch, by any peer.
   *
   * @param epoch the epoch
   * @return a new set
   */
  public Heights scanned(Content.Epoch epoch) {
    Heights scanned = new Heights();
    for (ScanRow row : rows.values()) {
      Load load = loads.get(row.load());
      if (load != null && epoch.isSameEpoch(load.content())) {
        scanned.add(row.from(), row.to());
      }
    }
    return scanned;
  }

  /**
   * The lowest height that was served under an epoch of scripts since the first row of an epoch of
   * outpoints; nothing if that has no row, and no height at all if no scripts were served since.
   *
   * @param outPoints the number of that epoch
   * @return a height; above all heights if no scripts were served since
   */
  public OptionalInt scriptsServedSince(int outPoints) {
    boolean begun = false;
    int lowest = Integer.MAX_VALUE - 1;
    for (ScanRow row : rows.values()) {
      Load load = loads.get(row.load());
      if (load == null || !(load.content() instanceof Content.Epoch epoch)) {
        continue;
      }
      if (epoch.role() == FilterRole.SCRIPTS) {
        lowest = begun ? Math.min(lowest, row.from()) : lowest;
      } else {
        begun |= epoch.number() == outPoints;
      }
    }
    return begun ? OptionalInt.of(lowest) : OptionalInt.empty();
  }

  /**
   * Adds a load, or replaces it by a grown one.
   *
   * @param load the load
   */
  public void add(Load load) {
    loads.put(load.id(), load);
  }

  /**
   * Returns the peer of a load.
   *
   * @param load its id
   * @return the peer, or null if the load is not known
   */
  public @Nullable PeerAddress peerOf(long load) {
    Load known = loads.get(load);
    return known == null ? null : known.peer();
  }

  /**
   * Records that a peer served a block of the active chain.
   *
   * @param last the row of the peer's previous block on this connection, if there is one
   * @param load the filter's load
   * @param elements how many elements of the log the filter held at the request
   * @param height the block's
   * @param now the time, for a new row
   * @return the row that holds the block: the last one, grown, or a new one
   */
  public ScanRow scanned(@Nullable ScanRow last, Load load, int elements, int height, Instant now) {
    ScanRow row =
        last != null
                && last.load() == load.id()
                && last.elements() == elements
                && last.to() + 1 == height
            ? new ScanRow(last.id(), load.id(), elements, last.from(), height, last.time())
            : new ScanRow(nextRow++, load.id(), elements, height, height, now.getEpochSecond());
    rows.put(row.id(), row);
    return row;
  }

  /**
   * Discards the scan above a height, after a reorganisation.
   *
   * @param height the last height that stays
   */
  public void cutAbove(int height) {
    ScanRow.cutAbove(rows, height);
  }

  /**
   * Discards the scan from a height on, for a rescan.
   *
   * @param height the first height that goes
   */
  public void cutFrom(int height) {
    cutAbove(height - 1);
  }

  /**
   * Discards all blocks that a peer served.
   *
   * @param peer the peer
   * @return the ids of the discarded rows
   */
  public Set<Long> disown(PeerAddress peer) {
    Set<Long> gone = new HashSet<>();
    for (ScanRow row : rows.values()) {
      Load load = loads.get(row.load());
      if (load != null && load.peer().equals(peer)) {
        gone.add(row.id());
      }
    }
    rows.keySet().removeAll(gone);
    return gone;
  }

  /**
   * Computes what was served or is promised, and so need not be requested.
   *
   * @param log the element log
   * @param birthday the height of the wallet's birthday
   * @param promised the blocks in flight, in the order of the requests
   * @param epochsOnly see {@link Coverage#Coverage(List, int, List, boolean)}
   * @return a new value
   */
  public Coverage coverage(
      WatchedLog log, int birthday, List<Promise> promised, boolean epochsOnly) {
    List<Coverage.Span> spans = new ArrayList<>();
    for (ScanRow row : rows.values()) {
      Load load = loads.get(row.load());
      // Without its filter, a row's coverage is unknown.
      if (load != null) {
        spans.add(span(load, row.id(), row.elements(), row.from(), row.to()));
      }
    }
    long order = Long.MAX_VALUE / 2;
    for (Promise promise : promised) {
      spans.add(span(promise.load(), order++, promise.elements(), promise.from(), promise.to()));
    }
    return new Coverage(log.view(), birthday, spans, epochsOnly);
  }

  private Coverage.Span span(Load load, long order, int elements, int from, int to) {
    boolean all = load.adds();
    return new Coverage.Span(
        load.peer(), load.id(), order, all, load.contentWith(elements), from, to);
  }
}
