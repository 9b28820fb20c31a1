package org.murmur.regtest.chain;

import java.util.Arrays;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.OutPoint;

/**
 * The places of the unspent outputs: a hash table of places (height, position of the transaction,
 * output), 8 bytes each. The key is read from the block at that place.
 *
 * <pre>
 *   place: height 24 bits | position 20 bits | output 20 bits
 * </pre>
 *
 * <p>A million coins cost 16 MB instead of 200. Linear probing, at most half full, removal by
 * shifting back. Not thread-safe; {@link Chain} guards it.
 */
final class CoinIndex {

  /** The answer for an unknown outpoint. */
  static final long NONE = -1;

  /** Reads the key at a place. */
  interface Keys {
    boolean hasTxid(long place, byte[] txid);

    /** The low 64 bits of the txid at the place. */
    long txidWord(long place);
  }

  private final Keys keys;
  private long[] table;
  private int size;

  CoinIndex(Keys keys) {
    this.keys = keys;
    this.table = new long[64];
    Arrays.fill(table, NONE);
  }

  /** A copy over the same places, with another source of keys. */
  CoinIndex(Keys keys, CoinIndex other) {
    this.keys = keys;
    this.table = other.table.clone();
    this.size = other.size;
  }

  static long place(int height, int position, int output) {
    return (long) height << 40 | (long) position << 20 | output;
  }

  static int height(long place) {
    return (int) (place >>> 40);
  }

  static int position(long place) {
    return (int) (place >>> 20) & 0xfffff;
  }

  static int output(long place) {
    return (int) place & 0xfffff;
  }

  int size() {
    return size;
  }

  long find(OutPoint outPoint) {
    byte[] txid = outPoint.txid().toInternal();
    int slot = slot(LittleEndian.int64(txid, 0), outPoint.index());
    while (table[slot] != NONE) {
      long place = table[slot];
      if (output(place) == outPoint.index() && keys.hasTxid(place, txid)) {
        return place;
      }
      slot = (slot + 1) & (table.length - 1);
    }
    return NONE;
  }

  void add(long place) {
    if (2 * (size + 1) > table.length) {
      grow();
    }
    put(place);
    size++;
  }

  void remove(long place) {
    int mask = table.length - 1;
    int hole = slotOf(place);
    while (table[hole] != place) {
      if (table[hole] == NONE) {
        throw new AssertionError("place " + place + " is not in the index");
      }
      hole = (hole + 1) & mask;
    }
    size--;
    int next = hole;
    while (true) {
      next = (next + 1) & mask;
      if (table[next] == NONE) {
        table[hole] = NONE;
        return;
      }
      // An entry may move back into the hole unless it would then stand before its home slot.
      int home = slotOf(table[next]);
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        table[hole] = table[next];
        hole = next;
      }
    }
  }

  private void grow() {
    long[] old = table;
    table = new long[2 * old.length];
    Arrays.fill(table, NONE);
    for (long place : old) {
      if (place != NONE) {
        put(place);
      }
    }
  }

  private void put(long place) {
    int slot = slotOf(place);
    while (table[slot] != NONE) {
      slot = (slot + 1) & (table.length - 1);
    }
    table[slot] = place;
  }

  private int slotOf(long place) {
    return slot(keys.txidWord(place), output(place));
  }

  private int slot(long txidWord, int output) {
    long mixed = (txidWord + output) * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> 32) & (table.length - 1);
  }
}
