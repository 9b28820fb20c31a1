package org.murmur.wallet.overview;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * Which blocks were scanned, and by which peers: heights against peers, as of one commit.
 * Immutable.
 *
 * @param from the first height that concerns the wallet
 * @param to the height of the tip; below {@code from} if there is no block to scan yet, or the
 *     height of the birthday is not known
 * @param seen by how many different peers everything was scanned: ascending ranges that cover all
 *     heights
 * @param bands the peers that served blocks, those that served most first
 * @param morePeers how many further peers served blocks: {@code bands} is limited
 * @param marks some heights and the times of their blocks, ascending, for an axis
 */
public record CoverageMap(
    int from, int to, List<Seen> seen, List<Band> bands, int morePeers, List<Mark> marks) {

  /** A map without any block. */
  public static final CoverageMap EMPTY =
      new CoverageMap(0, -1, List.of(), List.of(), 0, List.of());

  /** Parts of ten that round steps of an axis have. */
  private static final int[] ROUND = {1, 2, 5};

  /**
   * Consecutive heights.
   *
   * @param from the first
   * @param to the last
   */
  public record Range(int from, int to) {

    /** Checks the order. */
    public Range {
      if (to < from) {
        throw new IllegalArgumentException("range " + from + " to " + to + " is empty");
      }
    }

    /** {@return how many heights it has, at least 1} */
    public int count() {
      return to - from + 1;
    }
  }

  /**
   * Heights at which everything was scanned by the same number of peers.
   *
   * @param range the heights
   * @param peers how many different peers; 0 for a gap
   */
  public record Seen(Range range, int peers) {}

  /**
   * A peer's part.
   *
   * @param peer the peer
   * @param served heights that it served under any filter; ascending, without overlaps
   * @param whole those of them at which its filters had everything that the wallet watches now
   */
  public record Band(NodeAddress peer, List<Range> served, List<Range> whole) {
    /** Copies the lists. */
    public Band {
      served = List.copyOf(served);
      whole = List.copyOf(whole);
    }

    /** {@return how many blocks the peer served, each height counts once} */
    public int blocks() {
      return served.stream().mapToInt(Range::count).sum();
    }
  }

  /**
   * A height and the time of its block.
   *
   * @param height the height
   * @param time as the block's header claims
   */
  public record Mark(int height, Instant time) {}

  /**
   * Consecutive heights that are drawn as one.
   *
   * @param range the heights
   * @param missing how many of them no peer covered completely
   * @param least the fewest peers that covered one of them
   * @param most the most peers that covered one of them
   * @param shares the peers' parts, in the order of {@link #bands}
   */
  public record Column(Range range, int missing, int least, int most, List<Share> shares) {
    /** Copies the list. */
    public Column {
      shares = List.copyOf(shares);
    }
  }

  /**
   * A peer's part of a column.
   *
   * @param served how many of its blocks the peer served
   * @param whole how many of these under filters with everything that the wallet watches now
   */
  public record Share(int served, int whole) {}

  /**
   * Copies the lists, and checks that the ranges are those of all heights.
   *
   * @throws IllegalArgumentException if they are not
   */
  public CoverageMap {
    seen = List.copyOf(seen);
    bands = List.copyOf(bands);
    marks = List.copyOf(marks);
    int next = from;
    for (Seen one : seen) {
      if (one.range().from() != next) {
        throw new IllegalArgumentException(
            "range from " + one.range().from() + ", expected one from " + next);
      }
      next = one.range().to() + 1;
    }
    if (next != Math.max(from, to + 1)) {
      throw new IllegalArgumentException("ranges to " + (next - 1) + ", expected " + to);
    }
  }

  /** {@return whether there is no block to scan; true if no height is on the map} */
  public boolean isEmpty() {
    return to < from;
  }

  /** {@return the heights that no peer covered completely, ascending ranges} */
  public List<Range> gaps() {
    List<Range> gaps = new ArrayList<>();
    for (Seen one : seen) {
      if (one.peers() == 0) {
        gaps.add(one.range());
      }
    }
    return gaps;
  }

  /**
   * Returns the map in columns of about equal width. Every height is in exactly one column.
   *
   * @param limit the most columns; with fewer heights each one has its own
   * @return ascending columns; none if the map is empty
   * @throws IllegalArgumentException if the limit is below 1
   */
  public List<Column> columns(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException(limit + " columns, expected 1 or more");
    }
    if (isEmpty()) {
      return List.of();
    }
    Grid grid = Grid.of(from, to, limit);
    int[] missing = grid.overlaps(gaps());
    int[] least = new int[grid.size()];
    int[] most = new int[grid.size()];
    Arrays.fill(least, Integer.MAX_VALUE);
    for (Seen one : seen) {
      int last = grid.indexOf(one.range().to());
      for (int i = grid.indexOf(one.range().from()); i <= last; i++) {
        least[i] = Math.min(least[i], one.peers());
        most[i] = Math.max(most[i], one.peers());
      }
    }
    List<int[]> served = new ArrayList<>();
    List<int[]> whole = new ArrayList<>();
    for (Band band : bands) {
      served.add(grid.overlaps(band.served()));
      whole.add(grid.overlaps(band.whole()));
    }
    List<Column> columns = new ArrayList<>(grid.size());
    for (int i = 0; i < grid.size(); i++) {
      List<Share> shares = new ArrayList<>(bands.size());
      for (int b = 0; b < bands.size(); b++) {
        shares.add(new Share(served.get(b)[i], whole.get(b)[i]));
      }
      columns.add(new Column(grid.range(i), missing[i], least[i], most[i], shares));
    }
    return columns;
  }

  /**
   * Chooses heights for an axis: both ends, and round heights between them.
   *
   * @param from the first height
   * @param to the last height, not below the first
   * @param limit the most heights, at least 2
   * @return ascending heights
   */
  public static List<Integer> axis(int from, int to, int limit) {
    long span = (long) to - from;
    List<Integer> heights = new ArrayList<>(List.of(from));
    if (span > 0) {
      long step = step(span, limit - 1);
      // A label needs room, so a round height next to an end is left out.
      long room = Math.max(1, step / 2);
      for (long next = (from / step + 1) * step; next <= to - room; next += step) {
        if (next >= from + room && heights.size() < limit - 1) {
          heights.add((int) next);
        }
      }
      heights.add(to);
    }
    return heights;
  }

  /** The smallest round step that divides a span into no more than some parts. */
  private static long step(long span, int parts) {
    for (long power = 1; ; power *= 10) {
      for (int factor : ROUND) {
        if (span <= power * factor * parts) {
          return factor * power;
        }
      }
    }
  }

  /** How heights are divided into columns. */
  private record Grid(int from, int to, int size) {

    static Grid of(int from, int to, int limit) {
      return new Grid(from, to, (int) Math.min(limit, (long) to - from + 1));
    }

    /** The first height of a column. */
    private int start(int column) {
      return (int) (from + ((long) to - from + 1) * column / size);
    }

    Range range(int column) {
      return new Range(start(column), start(column + 1) - 1);
    }

    /** The column of a height. */
    int indexOf(int height) {
      int low = 0;
      int high = size - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (start(middle) <= height) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }

    /** How many heights of some ranges are in each column. */
    int[] overlaps(List<Range> ranges) {
      int[] counts = new int[size];
      for (Range range : ranges) {
        int first = Math.max(from, range.from());
        int last = Math.min(to, range.to());
        if (first > last) {
          continue;
        }
        int end = indexOf(last);
        for (int i = indexOf(first); i <= end; i++) {
          counts[i] += Math.min(last, start(i + 1) - 1) - Math.max(first, start(i)) + 1;
        }
      }
      return counts;
    }
  }
}
