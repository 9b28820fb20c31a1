package org.murmur.p2p.sync;

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
import org.murmur.bip37.FilterRole;

/** The record of what was scanned: loads and rows, those on disk and those on the way there. */
final class ScanBook {

  private final Map<Long, Load> loads = new HashMap<>();
  private final TreeMap<Long, ScanRow> rows = new TreeMap<>();
  // Loads whose servers were seen not to add outpoints, whatever their flag.
  private final Set<Long> notAdding = new HashSet<>();
  private long nextLoad;
  private long nextRow;

  ScanBook(SyncStart start) {
    start.loads().forEach(load -> loads.put(load.id(), load));
    start.rows().forEach(row -> rows.put(row.id(), row));
    nextLoad = start.nextLoadId();
    nextRow = start.nextRowId();
  }

  long newLoadId() {
    return nextLoad++;
  }

  /** The last load of every epoch that anybody was ever shown. */
  Collection<Load> lastOfEpochs() {
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

  /** The heights that were served under an epoch, by whomever. */
  Heights scanned(Content.Epoch epoch) {
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
   */
  OptionalInt scriptsServedSince(int outPoints) {
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

  void add(Load load) {
    loads.put(load.id(), load);
  }

  /** What a load's server adds counts no more. */
  void distrustAdding(long load) {
    notAdding.add(load);
  }

  /** Whether a load says that its server adds, and the server was seen not to. */
  boolean isDistrusted(Load load) {
    return notAdding.contains(load.id());
  }

  /** Whose filter it is, or null if its load is not known. */
  @Nullable PeerAddress peerOf(long load) {
    Load known = loads.get(load);
    return known == null ? null : known.peer();
  }

  private boolean adds(Load load) {
    return load.adds() && !isDistrusted(load);
  }

  /** Notes that a peer served a block of the active chain; returns the row it stands in. */
  ScanRow scanned(Peer peer, Load load, int elements, int height, Instant now) {
    ScanRow row = peer.row;
    if (row != null
        && row.load() == load.id()
        && row.elements() == elements
        && row.to() + 1 == height) {
      row = new ScanRow(row.id(), load.id(), elements, row.from(), height, row.time());
    } else {
      row = new ScanRow(nextRow++, load.id(), elements, height, height, now.getEpochSecond());
    }
    rows.put(row.id(), row);
    peer.row = row;
    return row;
  }

  /** A reorganisation: what stood above this height was never scanned. */
  void cutAbove(int height) {
    ScanRow.cutAbove(rows, height);
  }

  /** A rescan: rows that reach this height or higher are cut below it. */
  void cutFrom(int height) {
    cutAbove(height - 1);
  }

  /** Takes back all that a peer served; returns the ids of the rows that are gone. */
  Set<Long> disown(PeerAddress peer) {
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

  /** What was served, and what is promised: all that need not be asked for. */
  Coverage coverage(WatchedLog log, int birthday, Collection<Peer> promising, boolean epochsOnly) {
    List<Coverage.Span> spans = new ArrayList<>();
    for (ScanRow row : rows.values()) {
      Load load = loads.get(row.load());
      // Without its filter nobody can say what a row covers.
      if (load != null) {
        spans.add(span(load, row.id(), row.elements(), row.from(), row.to()));
      }
    }
    long order = Long.MAX_VALUE / 2;
    for (Peer peer : promising) {
      for (Chunk chunk : peer.chunks) {
        if (chunk.next() <= chunk.validTo()) {
          spans.add(span(chunk.load, order++, chunk.elements, chunk.next(), chunk.validTo()));
        }
      }
    }
    return new Coverage(log.view(), birthday, spans, epochsOnly);
  }

  private Coverage.Span span(Load load, long order, int elements, int from, int to) {
    boolean all = adds(load);
    return new Coverage.Span(
        load.peer(), load.id(), order, all, load.contentWith(elements), from, to);
  }
}
