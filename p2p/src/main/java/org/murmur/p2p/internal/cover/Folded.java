package org.murmur.p2p.internal.cover;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * Fewer rows with the same coverage. Each connection makes a view and rows of its own; when it is
 * over, what it found in each block is all that counts. So rows of one peer with the same content
 * become one, whatever view they had, and rows that a longer prefix covers go away.
 *
 * <p>A view that covers a coin only because it {@linkplain View#adds added} it stays as it is. All
 * others that take part are retired: they add no more, so that no row claims more than it did.
 *
 * @param gone ids of rows that go away
 * @param rows rows with other heights or another view than before; new ones are not among them
 * @param retired ids of views that add no more
 */
public record Folded(Set<Long> gone, List<ScanRow> rows, Set<Long> retired) {

  /** Nothing changes. */
  public static final Folded NOTHING = new Folded(Set.of(), List.of(), Set.of());

  /** Copies the collections. */
  public Folded {
    gone = Set.copyOf(gone);
    rows = List.copyOf(rows);
    retired = Set.copyOf(retired);
  }

  /** Rows that can stand for each other: of one peer, with one content. */
  private record Kind(NodeAddress peer, Content content, int era) {}

  /**
   * Folds rows.
   *
   * @param live views that may still get rows; they stay as they are
   * @param log the element log, with every element that follows from blocks in the rows
   */
  static Folded of(
      Collection<ScanRow> rows, Map<Long, View> views, Set<Long> live, List<Element> log) {
    Set<Long> needed = adding(rows, views, log);
    Map<Kind, List<ScanRow>> kinds = new LinkedHashMap<>();
    Set<Integer> epochs = new HashSet<>();
    for (ScanRow row : rows) {
      View view = views.get(row.view());
      if (view == null) {
        continue;
      }
      Content content = view.content().at(row.elements());
      if (!live.contains(row.view()) && !needed.contains(row.view())) {
        // Epochs ask which scripts were served since another epoch began.
        int era = isOf(FilterRole.SCRIPTS, content) ? epochs.size() : 0;
        Kind kind = new Kind(view.peer(), content, era);
        kinds.computeIfAbsent(kind, k -> new ArrayList<>()).add(row);
      }
      if (content instanceof Content.Epoch epoch && epoch.role() == FilterRole.OUTPOINTS) {
        epochs.add(epoch.number());
      }
    }
    return fold(kinds);
  }

  private static boolean isOf(FilterRole role, Content content) {
    return content instanceof Content.Epoch epoch && epoch.role() == role;
  }

  /** Views that have a coin only because a block of theirs paid it. */
  private static Set<Long> adding(
      Collection<ScanRow> rows, Map<Long, View> views, List<Element> log) {
    Map<Integer, Element.OwnOutPoint> coins = new HashMap<>();
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i) instanceof Element.OwnOutPoint coin) {
        coins.put(i, coin);
      }
    }
    Set<Long> adding = new HashSet<>();
    for (ScanRow row : rows) {
      View view = views.get(row.view());
      if (view != null && view.adds() && !adding.contains(row.view())) {
        View then = view.at(row.elements());
        coins.forEach(
            (index, coin) -> {
              if (row.from() <= coin.birth()
                  && coin.birth() <= row.to()
                  && !then.finds(index, coin)
                  && then.addsOnPayment(coin)) {
                adding.add(row.view());
              }
            });
      }
    }
    return adding;
  }

  private static Folded fold(Map<Kind, List<ScanRow>> kinds) {
    Set<Long> gone = new HashSet<>();
    List<ScanRow> changed = new ArrayList<>();
    Set<Long> retired = new HashSet<>();
    List<Kind> longestFirst = new ArrayList<>(kinds.keySet());
    longestFirst.sort(Comparator.comparingInt((Kind kind) -> kind.content().prefix()).reversed());
    Map<NodeAddress, Heights> covered = new HashMap<>();
    for (Kind kind : longestFirst) {
      List<ScanRow> old = kinds.getOrDefault(kind, List.of());
      Heights heights = new Heights();
      old.forEach(row -> heights.add(row.from(), row.to()));
      if (kind.content() instanceof Content.Prefix) {
        Heights longer = covered.computeIfAbsent(kind.peer(), peer -> new Heights());
        heights.removeAll(longer);
        longer.addAll(heights);
      }
      List<int[]> ranges = new ArrayList<>();
      heights.forEachRange((from, to) -> ranges.add(new int[] {from, to}));
      if (ranges.size() < old.size()) {
        changed.addAll(replace(kind, old, ranges, gone));
        old.forEach(row -> retired.add(row.view()));
      }
    }
    return new Folded(gone, changed, retired);
  }

  /** Puts fewer rows in the place of others, under the last of their views. */
  private static List<ScanRow> replace(
      Kind kind, List<ScanRow> old, List<int[]> ranges, Set<Long> gone) {
    long view = Collections.max(old, Comparator.comparingLong(ScanRow::view)).view();
    long time = Collections.max(old, Comparator.comparingLong(ScanRow::time)).time();
    // An epoch of outpoints began with its first row, and that must stay the first.
    boolean keepsFirst = isOf(FilterRole.OUTPOINTS, kind.content());
    int first = keepsFirst ? 0 : old.size() - ranges.size();
    List<ScanRow> kept = new ArrayList<>();
    for (int i = 0; i < old.size(); i++) {
      ScanRow row = old.get(i);
      int place = i - first;
      if (place < 0 || place >= ranges.size()) {
        gone.add(row.id());
      } else {
        int[] range = ranges.get(place);
        kept.add(new ScanRow(row.id(), view, row.elements(), range[0], range[1], time));
      }
    }
    return kept;
  }

  /** {@return whether nothing changes, true if it has no row} */
  public boolean isEmpty() {
    return gone.isEmpty() && rows.isEmpty();
  }

  /** Returns this change and a later one together. */
  public Folded and(Folded later) {
    Set<Long> allGone = new HashSet<>(gone);
    allGone.addAll(later.gone);
    Map<Long, ScanRow> changed = new LinkedHashMap<>();
    rows.forEach(row -> changed.put(row.id(), row));
    later.applyTo(changed);
    Set<Long> allRetired = new HashSet<>(retired);
    allRetired.addAll(later.retired);
    return new Folded(allGone, List.copyOf(changed.values()), allRetired);
  }

  /** Changes rows. */
  public void applyTo(Map<Long, ScanRow> all) {
    all.keySet().removeAll(gone);
    rows.forEach(row -> all.put(row.id(), row));
  }

  /**
   * Returns the same without some blocks.
   *
   * @param height the last height that stays
   */
  public Folded cutAbove(int height) {
    Map<Long, ScanRow> kept = new LinkedHashMap<>();
    rows.forEach(row -> kept.put(row.id(), row));
    ScanRow.cutAbove(kept, height);
    return with(kept);
  }

  /** Returns the same without some rows. */
  public Folded without(Set<Long> ids) {
    Map<Long, ScanRow> kept = new LinkedHashMap<>();
    rows.forEach(row -> kept.put(row.id(), row));
    kept.keySet().removeAll(ids);
    return with(kept);
  }

  private Folded with(Map<Long, ScanRow> kept) {
    Set<Long> more = new HashSet<>(gone);
    for (ScanRow row : rows) {
      if (!kept.containsKey(row.id())) {
        more.add(row.id());
      }
    }
    return new Folded(more, List.copyOf(kept.values()), retired);
  }
}
