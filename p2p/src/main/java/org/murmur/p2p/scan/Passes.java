package org.murmur.p2p.scan;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.cover.Coverage;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.WatchedLog;

/**
 * Which elements the next filters hold. If one filter cannot hold the whole log, the blocks are
 * scanned in several passes, each for a part of the elements.
 *
 * <p>A pass goes on until its part is covered. Scripts come first, with the newest coins beside
 * them. The server adds the coins that it finds, so a coin that is spent soon needs no pass of its
 * own. The other coins follow by age. When everything is covered, filters hold a part with scripts:
 * the next block pays these.
 */
final class Passes {

  /** The share of a filter with scripts that is left free for outpoints that the server adds. */
  private static final double ROOM = 0.25;

  private final WatchedLog log;
  private final int maxElements;
  private @Nullable BitSet part;
  // Whether a filter holds the part.
  private boolean begun;
  private long later;

  Passes(WatchedLog log, int maxElements) {
    this.log = log;
    this.maxElements = maxElements;
  }

  /** The elements of this pass; null if one filter holds the whole log. */
  @Nullable BitSet part() {
    return part;
  }

  /** How many elements the next filter holds. */
  int size() {
    BitSet some = part;
    return some == null ? log.size() : some.cardinality();
  }

  /** How many blocks are left for later passes, as of the beginning of this one. */
  long later() {
    return later;
  }

  /** A filter holds the part: it stays until the pass is done. */
  void begin() {
    begun = true;
  }

  /** Ends the pass, even if its part is not covered; returns whether it had begun. */
  boolean end() {
    boolean ended = begun && part != null;
    begun = false;
    return ended;
  }

  /**
   * Chooses the part of the next pass if this one is done or has not begun.
   *
   * @param coverage what was scanned and requested, or null while the birthday is not known
   * @param tip the highest block
   * @param present by how many different peers each element can be scanned now; a pass does not
   *     wait for more
   * @param wanted by how many each is to be scanned
   */
  void choose(@Nullable Coverage coverage, int tip, int present, int wanted) {
    if (log.size() <= maxElements) {
      part = null;
      later = 0;
    } else if (coverage == null) {
      take(live());
    } else if (!begun || part == null || coverage.needs(tip, present, null, part).isEmpty()) {
      BitSet uncovered = coverage.uncoveredElements(tip, present);
      if (uncovered.isEmpty() && present < wanted) {
        uncovered = coverage.uncoveredElements(tip, wanted);
      }
      take(uncovered.isEmpty() ? live() : uncovered);
      countLater(coverage, tip, uncovered);
    }
  }

  private void take(BitSet of) {
    BitSet next = next(of);
    begun &= next.equals(part);
    part = next;
    later = 0;
  }

  private void countLater(Coverage coverage, int tip, BitSet uncovered) {
    for (BitSet left = without(uncovered, part); !left.isEmpty(); ) {
      BitSet next = next(left);
      later += coverage.needs(tip, 1, null, next).count();
      left.andNot(next);
    }
  }

  /** Whether the filters of this pass hold everything that a new transaction may pay or spend. */
  boolean holdAllLive() {
    return part == null || without(live(), part).isEmpty();
  }

  private static BitSet without(BitSet set, @Nullable BitSet other) {
    BitSet rest = (BitSet) set.clone();
    if (other != null) {
      rest.andNot(other);
    }
    return rest;
  }

  /** Everything that a new block may pay or spend. */
  private BitSet live() {
    BitSet live = new BitSet();
    for (int i = 0; i < log.size(); i++) {
      live.set(i, log.get(i).end() == Element.OPEN);
    }
    return live;
  }

  /** The first part of some elements. */
  private BitSet next(BitSet of) {
    BitSet scripts = new BitSet();
    BitSet others = new BitSet();
    of.stream().forEach(i -> (log.get(i) instanceof Element.Script ? scripts : others).set(i));
    if (scripts.isEmpty()) {
      return first(others, maxElements);
    }
    int size = Math.max(1, (int) (maxElements * (1 - ROOM)));
    BitSet part = first(scripts, size);
    part.or(last(others, size - part.cardinality()));
    return part;
  }

  private static BitSet first(BitSet of, int size) {
    BitSet first = new BitSet();
    of.stream().limit(size).forEach(first::set);
    return first;
  }

  private static BitSet last(BitSet of, int size) {
    BitSet last = new BitSet();
    of.stream().skip(Math.max(0, of.cardinality() - size)).forEach(last::set);
    return last;
  }
}
