package org.murmur.p2p.internal.cover;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * A set of block heights, kept as disjoint ranges with gaps between them. Mutable; for one thread.
 */
public final class Heights {

  // First height of a range to its last one.
  private final TreeMap<Integer, Integer> ranges = new TreeMap<>();

  /** Makes an empty set. */
  public Heights() {}

  /**
   * Adds a range.
   *
   * @param to the last height; below {@code from} nothing is added
   */
  public Heights add(int from, int to) {
    if (to < from) {
      return this;
    }
    int first = from;
    int last = to;
    Map.Entry<Integer, Integer> before = ranges.floorEntry(from);
    if (before != null && (long) before.getValue() + 1 >= from) {
      first = before.getKey();
      last = Math.max(last, before.getValue());
    }
    Map.Entry<Integer, Integer> next = ranges.ceilingEntry(first);
    while (next != null && next.getKey() <= (long) last + 1) {
      last = Math.max(last, next.getValue());
      ranges.remove(next.getKey());
      next = ranges.ceilingEntry(first);
    }
    ranges.put(first, last);
    return this;
  }

  /**
   * Removes a range.
   *
   * @param to the last height; below {@code from} nothing is removed
   */
  public Heights remove(int from, int to) {
    if (to < from) {
      return this;
    }
    Map.Entry<Integer, Integer> before = ranges.lowerEntry(from);
    if (before != null && before.getValue() >= from) {
      int last = before.getValue();
      ranges.put(before.getKey(), from - 1);
      if (last > to) {
        ranges.put(to + 1, last);
      }
    }
    Map.Entry<Integer, Integer> next = ranges.ceilingEntry(from);
    while (next != null && next.getKey() <= to) {
      ranges.remove(next.getKey());
      if (next.getValue() > to) {
        ranges.put(to + 1, next.getValue());
      }
      next = ranges.ceilingEntry(from);
    }
    return this;
  }

  /** Removes all heights of another set. */
  public Heights removeAll(Heights other) {
    other.ranges.forEach(this::remove);
    return this;
  }

  /** Adds all heights of another set. */
  public Heights addAll(Heights other) {
    other.ranges.forEach(this::add);
    return this;
  }

  /** Returns the heights that are also in a range. */
  public Heights within(int from, int to) {
    Heights part = new Heights();
    for (Map.Entry<Integer, Integer> range : ranges.entrySet()) {
      part.add(Math.max(from, range.getKey()), Math.min(to, range.getValue()));
    }
    return part;
  }

  /** Keeps only the heights that are in another set too. */
  public Heights retainAll(Heights other) {
    int next = Integer.MIN_VALUE;
    for (Map.Entry<Integer, Integer> range : other.ranges.entrySet()) {
      remove(next, range.getKey() - 1);
      next = range.getValue() + 1;
    }
    return remove(next, Integer.MAX_VALUE - 1);
  }

  /** Copies the set. */
  public Heights copy() {
    return new Heights().addAll(this);
  }

  /**
   * Passes on the ranges.
   *
   * @param taker gets the first and the last height of each, ascending
   */
  public void forEachRange(BiConsumer<Integer, Integer> taker) {
    ranges.forEach(taker);
  }

  /** {@return whether nothing is in it; true if empty} */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  public boolean contains(int height) {
    Map.Entry<Integer, Integer> range = ranges.floorEntry(height);
    return range != null && range.getValue() >= height;
  }

  /** Returns whether any height of a range is in it. */
  public boolean meets(int from, int to) {
    Map.Entry<Integer, Integer> range = ranges.floorEntry(to);
    return from <= to && range != null && range.getValue() >= from;
  }

  /** Returns the lowest height. */
  public int first() {
    return ranges.firstKey();
  }

  /** Returns the highest height. */
  public int last() {
    return rangeEnd(ranges.lastKey());
  }

  /** Returns the lowest height that is not below another, or the lowest of all if there is none. */
  public int firstFrom(int height) {
    if (contains(height)) {
      return height;
    }
    Integer next = ranges.higherKey(height);
    return next != null ? next : first();
  }

  /**
   * Returns the last height of the range that contains a height of this set.
   *
   * @throws IllegalArgumentException if it is not in this set
   */
  public int rangeEnd(int height) {
    Map.Entry<Integer, Integer> range = ranges.floorEntry(height);
    if (range == null || range.getValue() < height) {
      throw new IllegalArgumentException("height " + height + " is not in " + this);
    }
    return range.getValue();
  }

  /** {@return how many heights are in it, the number of heights, not of ranges} */
  public long count() {
    long count = 0;
    for (Map.Entry<Integer, Integer> range : ranges.entrySet()) {
      count += (long) range.getValue() - range.getKey() + 1;
    }
    return count;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Heights h && ranges.equals(h.ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }

  /** The ranges, for instance {@code 0-99 150}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    ranges.forEach(
        (from, to) -> {
          text.append(text.length() == 0 ? "" : " ").append(from);
          if (!from.equals(to)) {
            text.append('-').append(to);
          }
        });
    return text.toString();
  }
}
