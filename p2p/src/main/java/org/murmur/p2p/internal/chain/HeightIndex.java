package org.murmur.p2p.internal.chain;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * Heights by hash: eight bytes an entry and a third of that in room to grow.
 *
 * <p>An entry has 32 bits of the hash, so the caller must compare the header; about one comparison
 * in four billion is in vain. Entries are never removed: a stale entry does not compare equal.
 *
 * <p>Open addressing in small tables, selected by another byte of the hash, so that a growing table
 * is only a small part of memory twice.
 */
final class HeightIndex {

  private static final int TABLES = 256;
  private static final int FIRST_CAPACITY = 16;

  /** The byte of a hash that selects the table; the entry uses the first four. */
  private static final int TABLE_AT = 4;

  private @Nullable Table[] tables = new Table[TABLES];
  private int entries;

  private static final class Table {
    int[] keys = new int[FIRST_CAPACITY];
    int[] heights = new int[FIRST_CAPACITY]; // height + 1, 0 where empty
    int used;
  }

  int entries() {
    return entries;
  }

  void clear() {
    tables = new Table[TABLES];
    entries = 0;
  }

  /** Adds a height under 32 bytes of hash at an offset. */
  void add(byte[] hash, int offset, int height) {
    int which = hash[offset + TABLE_AT] & 0xff;
    Table table = tables[which];
    if (table == null) {
      table = new Table();
      tables[which] = table;
    }
    if (4L * (table.used + 1) > 3L * table.keys.length) {
      grow(table);
    }
    put(table, LittleEndian.int32(hash, offset), height + 1);
    table.used++;
    entries++;
  }

  /** The first height of a hash that satisfies the condition, or -1. */
  int find(byte[] hash, IntPredicate isIt) {
    Table table = tables[hash[TABLE_AT] & 0xff];
    if (table == null) {
      return -1;
    }
    int key = LittleEndian.int32(hash, 0);
    for (int slot = slot(key, table.keys.length); table.heights[slot] != 0; ) {
      if (table.keys[slot] == key && isIt.test(table.heights[slot] - 1)) {
        return table.heights[slot] - 1;
      }
      slot++;
      slot = slot == table.keys.length ? 0 : slot;
    }
    return -1;
  }

  private static void grow(Table table) {
    int[] keys = table.keys;
    int[] heights = table.heights;
    int capacity = keys.length + keys.length / 4 + FIRST_CAPACITY;
    table.keys = new int[capacity];
    table.heights = new int[capacity];
    for (int i = 0; i < keys.length; i++) {
      if (heights[i] != 0) {
        put(table, keys[i], heights[i]);
      }
    }
  }

  private static void put(Table table, int key, int entry) {
    int slot = slot(key, table.keys.length);
    while (table.heights[slot] != 0) {
      slot++;
      slot = slot == table.keys.length ? 0 : slot;
    }
    table.keys[slot] = key;
    table.heights[slot] = entry;
  }

  /** Maps uniform keys to any capacity. */
  private static int slot(int key, int capacity) {
    return (int) ((Integer.toUnsignedLong(key) * capacity) >>> 32);
  }
}
