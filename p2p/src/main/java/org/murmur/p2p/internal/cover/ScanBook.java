package org.murmur.p2p.internal.cover;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;

/** The record of the scan: views and rows, on disk and about to be written. */
public final class ScanBook {

  /** Rows and views that are not worth folding. */
  private static final int FEW = 200;

  private final Map<Long, View> views = new HashMap<>();
  private final TreeMap<Long, ScanRow> rows = new TreeMap<>();
  private long nextView;
  private long nextRow;
  private int changes;
  // How many rows and views there may be until they are folded again.
  private int foldAbove = FEW;
  // The coverage of what was served, without promises, and that by block filters alone.
  private final Kept served = new Kept();
  private final Kept byFilters = new Kept();

  /** A coverage, and what it was computed from. */
  private static final class Kept {

    private @Nullable Coverage coverage;
    private List<Object> from = List.of();

    Coverage of(List<Object> now, Supplier<Coverage> compute) {
      Coverage known = coverage;
      if (known == null || !from.equals(now)) {
        known = compute.get();
        coverage = known;
        from = now;
      }
      return known;
    }
  }

  /** Blocks that were requested from a peer and not served yet. */
  public record Promise(View view, int from, int to) {}

  /**
   * Makes a book of the views and rows on disk.
   *
   * @param nextViewId above those of all views there ever were
   * @param nextRowId above those of all rows there ever were
   */
  public ScanBook(
      Collection<View> views, Collection<ScanRow> rows, long nextViewId, long nextRowId) {
    views.forEach(this::add);
    rows.forEach(row -> this.rows.put(row.id(), row));
    this.nextView = nextViewId;
    this.nextRow = nextRowId;
  }

  /**
   * {@return the id of a new view, an id that no view ever had} It counts once it is in use: see
   * {@link #add}.
   */
  public long newId() {
    return nextView++;
  }

  /** Returns the heights that were served under an epoch, by any peer. */
  public Heights scanned(Content.Epoch epoch) {
    Heights scanned = new Heights();
    for (ScanRow row : rows.values()) {
      View view = views.get(row.view());
      if (view != null && epoch.isSameEpoch(view.content())) {
        scanned.add(row.from(), row.to());
      }
    }
    return scanned;
  }

  /**
   * The lowest height that was served under an epoch of scripts since the first row of an epoch of
   * outpoints; nothing if that has no row, and no height at all if no scripts were served since.
   *
   * @return a height; above all heights if no scripts were served since
   */
  public OptionalInt scriptsServedSince(int outPoints) {
    boolean begun = false;
    int lowest = Integer.MAX_VALUE - 1;
    for (ScanRow row : rows.values()) {
      View view = views.get(row.view());
      if (view == null || !(view.content() instanceof Content.Epoch epoch)) {
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

  /** Adds a view, or replaces it by a grown one. */
  public void add(View view) {
    views.put(view.id(), view);
    changes++;
  }

  /**
   * Records that a peer served a block of the active chain.
   *
   * @param last the row of the peer's previous block on this connection, if there is one
   * @param elements how many elements of the log the view had at the request
   */
  public ScanRow scanned(@Nullable ScanRow last, long view, int elements, int height, Instant now) {
    return scanned(last, view, elements, height, height, now);
  }

  /**
   * Records that consecutive blocks of the active chain were seen under a view.
   *
   * @param last the row before on this connection, if there is one
   */
  public ScanRow scanned(@Nullable ScanRow last, View view, int from, int to, Instant now) {
    return scanned(last, view.id(), view.content().size(), from, to, now);
  }

  private ScanRow scanned(
      @Nullable ScanRow last, long view, int elements, int from, int to, Instant now) {
    ScanRow row =
        last != null && last.view() == view && last.elements() == elements && last.to() + 1 == from
            ? new ScanRow(last.id(), view, elements, last.from(), to, last.time())
            : new ScanRow(nextRow++, view, elements, from, to, now.getEpochSecond());
    rows.put(row.id(), row);
    changes++;
    return row;
  }

  /** Discards the scan above a height, after a reorganisation. */
  public void cutAbove(int height) {
    ScanRow.cutAbove(rows, height);
    changes++;
  }

  /** Discards the scan from a height on, for a rescan. */
  public void cutFrom(int height) {
    cutAbove(height - 1);
  }

  /** Discards all blocks that a peer served; returns the ids of their rows. */
  public Set<Long> disown(NodeAddress peer) {
    Set<Long> gone = rowsOf(peer);
    rows.keySet().removeAll(gone);
    changes++;
    return gone;
  }

  /** {@return the ids of the rows of what a peer served} */
  public Set<Long> rowsOf(NodeAddress peer) {
    Set<Long> theirs = new HashSet<>();
    for (ScanRow row : rows.values()) {
      View view = views.get(row.view());
      if (view != null && view.peer().equals(peer)) {
        theirs.add(row.id());
      }
    }
    return theirs;
  }

  /**
   * Discards what searches in filters of blocks saw above a height.
   *
   * @return how rows changed
   */
  public Folded cutFiltersAbove(int height) {
    Set<Long> gone = new HashSet<>();
    List<ScanRow> cut = new ArrayList<>();
    for (ScanRow row : rows.values()) {
      View view = views.get(row.view());
      if (view != null && view.isOfBlockFilters() && row.from() > height) {
        gone.add(row.id());
      } else if (view != null && view.isOfBlockFilters() && row.to() > height) {
        cut.add(row.endingAt(height));
      }
    }
    Folded change = new Folded(gone, cut, Set.of());
    change.applyTo(rows);
    changes++;
    return change;
  }

  /**
   * {@return the filter headers by height under which the last search in filters of blocks saw its
   * rows} A header above the rows may be of a block that has left the chain since.
   */
  public NavigableMap<Integer, Hash256> filterHeaders() {
    Map<Integer, Hash256> last = Map.of();
    long id = -1;
    int to = -1;
    for (ScanRow row : rows.values()) {
      View view = views.get(row.view());
      if (view != null && row.view() >= id && view.content() instanceof Content.Scripts scripts) {
        to = Math.max(row.view() == id ? to : -1, row.to());
        id = row.view();
        last = scripts.headers();
      }
    }
    return new TreeMap<>(last).headMap(to, true);
  }

  /**
   * Makes rows and views fewer, if they have become many; {@link Folded} says how. Every row must
   * be on disk, and the log must have what follows from it.
   *
   * @param live ids of views that may still get rows
   * @return how rows changed; {@link Folded#NOTHING} mostly
   */
  public Folded fold(Set<Long> live, WatchedLog log) {
    if (rows.size() + views.size() <= foldAbove) {
      return Folded.NOTHING;
    }
    Folded folded = Folded.of(rows.values(), views, live, log.view());
    folded.applyTo(rows);
    views.replaceAll((id, view) -> folded.retired().contains(id) ? view.retired() : view);
    Set<Long> named = new HashSet<>(live);
    rows.values().forEach(row -> named.add(row.view()));
    views.keySet().retainAll(named);
    foldAbove = Math.max(FEW, 2 * (rows.size() + views.size()));
    changes++;
    return folded;
  }

  /**
   * Computes what was served or is promised, and so need not be requested.
   *
   * @param promised the blocks in flight, in the order of the requests
   * @param epochsOnly see {@link Coverage#Coverage(List, int, List, boolean)}
   * @return the coverage; the same object as long as nothing is promised and nothing has changed
   */
  public Coverage coverage(
      WatchedLog log, int birthday, List<Promise> promised, boolean epochsOnly) {
    return promised.isEmpty()
        ? served.of(
            List.of(changes, log, log.changes(), birthday, epochsOnly),
            () -> compute(log, birthday, promised, epochsOnly))
        : compute(log, birthday, promised, epochsOnly);
  }

  /** Computes what the filters of blocks covered, whatever was served under filters of peers. */
  public Coverage byBlockFilters(WatchedLog log, int birthday) {
    return byFilters.of(
        List.of(changes, log, log.changes(), birthday),
        () -> Coverage.byBlockFilters(log.view(), birthday, spans()));
  }

  private Coverage compute(
      WatchedLog log, int birthday, List<Promise> promised, boolean epochsOnly) {
    List<Coverage.Span> spans = spans();
    long order = Long.MAX_VALUE / 2;
    for (Promise promise : promised) {
      spans.add(new Coverage.Span(promise.view(), order++, promise.from(), promise.to()));
    }
    return new Coverage(log.view(), birthday, spans, epochsOnly);
  }

  private List<Coverage.Span> spans() {
    List<Coverage.Span> spans = new ArrayList<>();
    for (ScanRow row : rows.values()) {
      View view = views.get(row.view());
      // Without its view, a row's coverage is unknown.
      if (view != null) {
        spans.add(new Coverage.Span(view.at(row.elements()), row.id(), row.from(), row.to()));
      }
    }
    return spans;
  }
}
