package org.murmur.testbed.world.network;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;

/** A server-side filter at one moment. */
public final class FilterSnapshot {

  public static final FilterSnapshot NONE = new FilterSnapshot(null);

  /** For a peer that serves the filters of blocks: no element is hidden from these. */
  public static final FilterSnapshot OF_BLOCKS = new FilterSnapshot(null);

  private final @Nullable BloomFilter copy;
  // By the numbers of elements: those among the tested ones that it holds.
  private final BitSet held = new BitSet();
  private final BitSet asked = new BitSet();

  private FilterSnapshot(@Nullable BloomFilter copy) {
    this.copy = copy;
  }

  /**
   * A later snapshot than this one. If it is the same filter grown, it holds what this one held.
   */
  public FilterSnapshot next(BloomFilter later) {
    FilterSnapshot next = new FilterSnapshot(later);
    if (copy != null && holdsAllOf(later, copy)) {
      next.held.or(held);
      next.asked.or(held);
    }
    return next;
  }

  private static boolean holdsAllOf(BloomFilter copy, BloomFilter before) {
    if (!copy.parameters().equals(before.parameters())) {
      return false;
    }
    // Equal lengths and parameters: only bits can differ.
    Bytes now = copy.toPayload();
    Bytes then = before.toPayload();
    for (int i = 0; i < then.length(); i++) {
      if ((then.at(i) & ~now.at(i)) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Removes from a set the numbers of the elements in the snapshot. */
  public void strike(BitSet wanted, List<Bytes> elements) {
    if (this == OF_BLOCKS) {
      wanted.clear();
    }
    if (copy == null) {
      return;
    }
    for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
      // The same test is repeated often.
      if (!asked.get(i)) {
        asked.set(i);
        held.set(i, copy.contains(elements.get(i)));
      }
      if (held.get(i)) {
        wanted.clear(i);
      }
    }
  }
}
