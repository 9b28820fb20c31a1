package org.murmur.wallet.internal.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;

/**
 * Heights of blocks by a key of 64 bits: in which blocks a transaction may be, or the spend of an
 * outpoint. Different ones may share a key, so an answer is to be compared with the block. Takes 24
 * bytes for each, in a table with open addressing.
 *
 * <p>Not thread safe.
 */
public final class KeyedHeights {

  private static final int FIRST_SIZE = 16;
  private static final int EMPTY = -1;

  private long[] keys = new long[FIRST_SIZE];
  private int[] heights = new int[FIRST_SIZE];
  private int count;

  /** Makes one that holds nothing. */
  public KeyedHeights() {
    Arrays.fill(heights, EMPTY);
  }

  /** Takes what is in the table. */
  public interface Visitor {

    /** Takes one. */
    void visit(long key, int height);
  }

  /**
   * Returns the key of a transaction.
   *
   * @return the first eight bytes of the txid in internal order, the first of them the highest
   */
  public static long key(Hash256 txid) {
    return ByteBuffer.wrap(txid.toInternal()).getLong();
  }

  /**
   * Returns the key of an outpoint.
   *
   * @return that of its transaction, mixed with the number of the output
   */
  public static long key(OutPoint outPoint) {
    return key(outPoint.txid()) + 0x9e37_79b9_7f4a_7c15L * (outPoint.index() + 1L);
  }

  /**
   * Adds a height, unless it is there under this key.
   *
   * @param height at least 0
   */
  public void add(long key, int height) {
    if (2 * count >= keys.length) {
      grow();
    }
    int at = slot(key);
    while (heights[at] != EMPTY) {
      if (keys[at] == key && heights[at] == height) {
        return;
      }
      at = next(at);
    }
    keys[at] = key;
    heights[at] = height;
    count++;
  }

  private void grow() {
    KeyedHeights larger = new KeyedHeights();
    larger.keys = new long[2 * keys.length];
    larger.heights = new int[2 * keys.length];
    Arrays.fill(larger.heights, EMPTY);
    forEach(larger::add);
    keys = larger.keys;
    heights = larger.heights;
  }

  /** Keys are parts of hashes, but whoever makes transactions chooses among them. */
  private int slot(long key) {
    long mixed = (key ^ (key >>> 32)) * 0x9e37_79b9_7f4a_7c15L;
    return (int) (mixed >>> 33) & (keys.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (keys.length - 1);
  }

  /** Returns the heights of a key. */
  public List<Integer> get(long key) {
    List<Integer> found = List.of();
    for (int at = slot(key); heights[at] != EMPTY; at = next(at)) {
      if (keys[at] == key) {
        found = found.isEmpty() ? new ArrayList<>(1) : found;
        found.add(heights[at]);
      }
    }
    return found;
  }

  /** Returns how many there are. */
  public int size() {
    return count;
  }

  /** Hands over everything. */
  public void forEach(Visitor visitor) {
    for (int at = 0; at < keys.length; at++) {
      if (heights[at] != EMPTY) {
        visitor.visit(keys[at], heights[at]);
      }
    }
  }
}
