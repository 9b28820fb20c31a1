package org.murmur.wallet.internal.sqlite;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.store.sql.SqlRow;

/**
 * How the rows of a table are read. SQLite puts all whole numbers of a row into one text, because a
 * value that crosses from SQLite to Java costs more than everything else that is done with it.
 */
final class Layout {

  private static final byte[] NONE = {};

  private final List<String> numbers = new ArrayList<>();
  private final List<String> others = new ArrayList<>();
  // Of each column: its place among the numbers, or -1 minus its place among the others.
  private final List<Integer> places = new ArrayList<>();

  private Layout() {}

  static Layout of(Database db, String table) throws SQLException {
    Layout layout = new Layout();
    db.each(
        "PRAGMA table_info(" + table + ")", r -> layout.add(Database.text(r, 2), r.getString(3)));
    return layout;
  }

  private void add(String column, @Nullable String type) {
    if ("INTEGER".equals(type)) {
      places.add(numbers.size());
      numbers.add("ifnull(" + column + ", 'n')");
    } else {
      places.add(-1 - others.size());
      others.add(column);
    }
  }

  /** The columns to select. */
  String columns() {
    String packed = numbers.isEmpty() ? "NULL" : String.join(" || ' ' || ", numbers);
    return others.isEmpty() ? packed : packed + ", " + String.join(", ", others);
  }

  /** Takes the values of the current row; its columns count from 1. */
  Read read(SqlRow r, int from) throws SQLException {
    byte[] packed = numbers.isEmpty() ? NONE : r.getBytes(from);
    @Nullable Object[] rest = new Object[others.size()];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = r.getObject(from + 1 + i);
    }
    return new Read(packed == null ? NONE : packed, rest);
  }

  /** The values of a row, before they were compared with a checksum. */
  final class Read {

    private final byte[] packed;
    private final @Nullable Object[] rest;

    private Read(byte[] packed, @Nullable Object[] rest) {
      this.packed = packed;
      this.rest = rest;
    }

    /** The checksum of all values. */
    long sum() {
      CRC32 crc = new CRC32();
      crc.update(packed);
      for (Object value : rest) {
        byte[] bytes = Row.bytesOf(value);
        crc.update(Row.type(value));
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
          crc.update(bytes.length >>> shift);
        }
        crc.update(bytes);
      }
      return crc.getValue();
    }

    /** The row. Throws {@link IllegalArgumentException} if a whole number is none. */
    Row row() {
      return values(places.size());
    }

    /** The first columns, or null if a whole number is none in any of the row. */
    @Nullable Row first(int columns) {
      try {
        return values(columns);
      } catch (NumberFormatException e) {
        return null;
      }
    }

    private Row values(int columns) {
      @Nullable Object[] values = new Object[columns];
      @Nullable Long[] unpacked = unpacked();
      for (int i = 0; i < values.length; i++) {
        int place = places.get(i);
        values[i] = place < 0 ? rest[-1 - place] : unpacked[place];
      }
      return new Row(values);
    }

    private @Nullable Long[] unpacked() {
      @Nullable Long[] values = new Long[numbers.size()];
      int at = 0;
      for (int i = 0; i < values.length; i++) {
        int end = at;
        while (end < packed.length && packed[end] != ' ') {
          end++;
        }
        values[i] = number(at, end);
        at = end + 1;
      }
      return values;
    }

    private @Nullable Long number(int from, int end) {
      if (end - from == 1 && packed[from] == 'n') {
        return null;
      }
      long value = 0;
      for (int i = from; i < end; i++) {
        int digit = packed[i] - '0';
        if (digit < 0 || digit > 9) {
          return Long.valueOf(text(from, end));
        }
        value = 10 * value + digit;
      }
      return end == from ? Long.valueOf(text(from, end)) : Long.valueOf(value);
    }

    private String text(int from, int end) {
      return from >= packed.length
          ? ""
          : new String(packed, from, end - from, StandardCharsets.UTF_8);
    }
  }
}
