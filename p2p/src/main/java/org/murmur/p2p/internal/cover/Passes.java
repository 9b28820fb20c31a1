package org.murmur.p2p.internal.cover;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which elements the next views hold. If one view cannot hold the whole log, blocks are scanned in
 * several passes, each for a part of the elements.
 *
 * <p>A pass goes on until its part is covered. Scripts come first, together with the newest coins.
 * The server adds the coins that it finds, so a coin that is spent soon needs no pass of its own.
 * The other coins follow by age. When everything is covered, views hold a part with scripts: the
 * next block pays these.
 *
 * <p>Not thread-safe.
 */
public final class Passes {

  /** The share of a view with scripts that is left free for outpoints that the server adds. */
  private static final double ROOM = 0.25;

  /**
   * A pass over blocks.
   *
   * @param part the elements to scan for, as indexes in the log
   * @param blocks how many blocks to request, once for each peer that is to serve them
   */
  public record Pass(BitSet part, long blocks) {}

  private final List<Element> log;
  private final int maxElements;
  private @Nullable BitSet part;
  // Whether nothing is left, and the part is to be chosen when it is needed.
  private boolean idle;
  // Whether a view holds the part.
  private boolean begun;
  private long later;
  // The inputs of the last choice; null if it has to be made again.
  private @Nullable Choice last;

  private record Choice(Coverage coverage, int tip, int present, int wanted) {

    boolean isFor(Coverage other, int height, int peers, int ofThem) {
      return coverage == other && tip == height && present == peers && wanted == ofThem;
    }
  }

  /**
   * Makes the choice for a log.
   *
   * @param maxElements how many of them a view holds at most
   */
  public Passes(List<Element> log, int maxElements) {
    this.log = log;
    this.maxElements = maxElements;
  }

  /**
   * Returns the elements of this pass.
   *
   * @return indexes in the log, not to be changed; null if one view holds the whole log
   */
  public @Nullable BitSet part() {
    if (idle) {
      take(live());
    }
    return part;
  }

  /** Returns the heights where too few peers scanned for an element of this pass. */
  public Heights uncovered(Coverage coverage, int tip, int peers) {
    return idle ? new Heights() : coverage.uncovered(tip, peers, part);
  }

  /** {@return how many elements the next view holds, 0 or more} */
  public int size() {
    BitSet some = part();
    return some == null ? log.size() : some.cardinality();
  }

  /**
   * Returns how many blocks are left for later passes.
   *
   * @return their number, as of the beginning of this pass
   */
  public long later() {
    return later;
  }

  /** A view holds the part now, so it stays until the pass is done. */
  public void begin() {
    begun = true;
  }

  /**
   * Ends the pass, even if its part is not covered.
   *
   * @return whether it had begun
   */
  public boolean end() {
    boolean ended = begun && part != null;
    begun = false;
    last = null;
    return ended;
  }

  /**
   * Chooses the part of the next pass if this one is done or has not begun.
   *
   * @param coverage what was scanned and requested, or null while the birthday is not known
   * @param present by how many different peers each element can be scanned now; a pass does not
   *     wait for more
   * @param wanted by how many each is to be scanned
   */
  public void choose(@Nullable Coverage coverage, int tip, int present, int wanted) {
    if (log.size() <= maxElements) {
      part = null;
      idle = false;
      later = 0;
    } else if (coverage == null) {
      rest();
    } else if (last != null && last.isFor(coverage, tip, present, wanted)) {
      return;
    } else if (!begun || part == null || coverage.needs(tip, present, null, part).isEmpty()) {
      BitSet uncovered = coverage.uncoveredElements(tip, present);
      if (uncovered.isEmpty() && present < wanted) {
        uncovered = coverage.uncoveredElements(tip, wanted);
      }
      if (uncovered.isEmpty()) {
        rest();
      } else {
        take(uncovered);
        countLater(coverage, tip, uncovered);
      }
      last = new Choice(coverage, tip, present, wanted);
    }
  }

  /** Nothing is left: the next view, if there is one, holds a part of what is live then. */
  private void rest() {
    idle = true;
    later = 0;
    if (begun) {
      take(live());
    }
  }

  private void take(BitSet of) {
    idle = false;
    BitSet next = next(of);
    begun &= next.equals(part);
    part = next;
    later = 0;
  }

  private void countLater(Coverage coverage, int tip, BitSet uncovered) {
    for (Pass pass : split(without(uncovered, part), coverage, tip, 1)) {
      later += pass.blocks();
    }
  }

  /**
   * Returns the passes until everything is covered, as far as it is known now.
   *
   * @return the passes in order; none if nothing is left
   */
  public List<Pass> ahead(Coverage coverage, int tip, int peers) {
    return split(coverage.uncoveredElements(tip, peers), coverage, tip, peers);
  }

  private List<Pass> split(BitSet left, Coverage coverage, int tip, int peers) {
    List<Pass> passes = new ArrayList<>();
    while (!left.isEmpty()) {
      BitSet next = log.size() <= maxElements ? (BitSet) left.clone() : next(left);
      long blocks = 0;
      for (int k = 1; k <= peers; k++) {
        blocks += coverage.uncovered(tip, k, next).count();
      }
      passes.add(new Pass(next, blocks));
      left.andNot(next);
    }
    return passes;
  }

  /**
   * {@return whether the views of this pass hold everything that a new transaction may pay or
   * spend; true if they do}
   */
  public boolean holdAllLive() {
    BitSet some = part();
    return some == null || without(live(), some).isEmpty();
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
    for (int i = of.nextSetBit(0); i >= 0; i = of.nextSetBit(i + 1)) {
      (log.get(i) instanceof Element.Script ? scripts : others).set(i);
    }
    if (scripts.isEmpty()) {
      return first(others, maxElements);
    }
    int size = Math.max(1, (int) (maxElements * (1 - ROOM)));
    BitSet part = first(scripts, size);
    part.or(last(others, size - part.cardinality()));
    return part;
  }

  private static BitSet first(BitSet of, int size) {
    if (of.cardinality() <= size) {
      return of;
    }
    BitSet first = new BitSet();
    for (int i = of.nextSetBit(0), left = size; left > 0; i = of.nextSetBit(i + 1), left--) {
      first.set(i);
    }
    return first;
  }

  private static BitSet last(BitSet of, int size) {
    BitSet last = new BitSet();
    for (int i = of.previousSetBit(of.length()), left = size;
        left > 0 && i >= 0;
        i = of.previousSetBit(i - 1), left--) {
      last.set(i);
    }
    return last;
  }
}
