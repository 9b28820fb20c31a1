package org.murmur.wallet.internal.books;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Coverage;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.Heights;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.wallet.overview.CoverageMap;

/** The result of all scans, as of one commit. Not thread-safe. */
public final class Scans {

  private final List<ScanRow> rows;
  private final Map<Long, View> views;
  private final @Nullable Coverage coverage;
  private final int height;
  // The heights that fewer than one peer scanned, fewer than two, and so on; computed on first use.
  private @Nullable List<Heights> lacking;

  /**
   * Collects them, and what follows: null while the birthday is not known. The height is the tip's.
   */
  Scans(List<ScanRow> rows, Map<Long, View> views, @Nullable Coverage coverage, int height) {
    this.rows = rows;
    this.views = views;
    this.coverage = coverage;
    this.height = height;
  }

  public List<ScanRow> rows() {
    return rows;
  }

  /** Returns the views that rows name. */
  public Map<Long, View> views() {
    return views;
  }

  /** Returns what follows from rows and views; null while the birthday is not known. */
  public @Nullable Coverage coverage() {
    return coverage;
  }

  /** Returns what block filters alone covered; null while the birthday is not known. */
  public @Nullable Coverage byBlockFilters(List<Element> log) {
    return coverage == null
        ? null
        : Coverage.byBlockFilters(log, coverage.birthday(), spans(rows, views));
  }

  /**
   * Throws {@link IllegalArgumentException} with its number if a row is impossible: its view must
   * exist and have held as many elements, these be in the log, and its blocks be in the chain up to
   * the last header's height.
   */
  static void requireSound(List<ScanRow> rows, Map<Long, View> views, int elements, int height) {
    Set<Long> tooLong = new HashSet<>();
    views.forEach(
        (id, view) -> {
          if (view.content().length() > elements) {
            tooLong.add(id);
          }
        });
    for (ScanRow row : rows) {
      View view = views.get(row.view());
      boolean sound =
          view != null
              && !tooLong.contains(row.view())
              && row.elements() >= 0
              && row.elements() <= view.content().size()
              && row.from() >= 0
              && row.from() <= row.to()
              && row.to() <= height;
      if (!sound) {
        throw new IllegalArgumentException("scan row " + row.id() + " claims what cannot be");
      }
    }
  }

  private static View viewOf(ScanRow row, Map<Long, View> views) {
    return Objects.requireNonNull(views.get(row.view()));
  }

  /** The coverage that follows from {@linkplain #requireSound sound} rows. */
  static List<Coverage.Span> spans(List<ScanRow> rows, Map<Long, View> views) {
    List<Coverage.Span> spans = new ArrayList<>();
    for (ScanRow row : rows) {
      View view = viewOf(row, views).at(row.elements());
      spans.add(new Coverage.Span(view, row.id(), row.from(), row.to()));
    }
    return spans;
  }

  /** Returns the height up to which everything is known; -1 if nothing is. */
  public int completeTo() {
    if (coverage == null) {
      return -1;
    }
    Heights uncovered = lacking(coverage).get(0);
    return uncovered.isEmpty() ? height : uncovered.first() - 1;
  }

  /**
   * Returns by how many different peers everything was scanned up to a height, at most the tip's:
   * the number for the block with the fewest, 0 if some block was scanned by none.
   */
  public int seenBy(int last) {
    int least = 0;
    if (coverage == null || last < coverage.birthday()) {
      return least;
    }
    for (int peers = peers(); least < peers; least++) {
      Heights uncovered = lacking(coverage).get(least);
      if (!uncovered.isEmpty() && uncovered.first() <= last) {
        break;
      }
    }
    return least;
  }

  /** One set for each peer that there is, and at least one. */
  private List<Heights> lacking(Coverage of) {
    List<Heights> known = lacking;
    if (known == null) {
      known = new ArrayList<>();
      for (int count = 1; count <= Math.max(1, peers()); count++) {
        known.add(of.uncovered(height, count));
      }
      lacking = known;
    }
    return known;
  }

  /**
   * Returns how many peers scanned everything at which heights: ascending ranges from the birthday
   * to the tip, of which adjacent ones differ in the count.
   */
  public List<CoverageMap.Seen> seen() {
    List<CoverageMap.Seen> seen = new ArrayList<>();
    int birthday = coverage == null ? Integer.MAX_VALUE : coverage.birthday();
    if (coverage == null || birthday > height) {
      return seen;
    }
    // The heights where the count changes, and by how much.
    TreeMap<Integer, Integer> changes = new TreeMap<>(Map.of(birthday, 0));
    for (int count = 1; count <= peers(); count++) {
      Heights enough =
          new Heights().add(birthday, height).removeAll(lacking(coverage).get(count - 1));
      enough.forEachRange(
          (from, to) -> {
            changes.merge(from, 1, Integer::sum);
            changes.merge(to + 1, -1, Integer::sum);
          });
    }
    int peers = 0;
    int from = birthday;
    for (Map.Entry<Integer, Integer> change : changes.entrySet()) {
      if (change.getValue() != 0 && change.getKey() > from) {
        seen.add(seen(from, change.getKey() - 1, peers));
        from = change.getKey();
      }
      peers += change.getValue();
    }
    if (from <= height) {
      seen.add(seen(from, height, peers));
    }
    return seen;
  }

  private static CoverageMap.Seen seen(int from, int to, int peers) {
    return new CoverageMap.Seen(new CoverageMap.Range(from, to), peers);
  }

  private int peers() {
    Set<NodeAddress> peers = new HashSet<>();
    for (ScanRow row : rows) {
      peers.add(viewOf(row, views).peer());
    }
    return peers.size();
  }
}
