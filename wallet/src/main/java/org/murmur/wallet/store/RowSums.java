package org.murmur.wallet.store;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A checksum for every row of every table, written in the transaction that writes the row and
 * compared before the row is used. SQLite notices damage of its own pages only: a flipped bit
 * inside a script, a height or a flag would be believed.
 *
 * <p>A CRC-32 finds every flipped bit and every burst of up to 32 bits. It is for accidents of disk
 * and memory, not for people: whoever may write the file can write the checksum, too.
 *
 * <p>SQLite itself tells which rows a transaction changed. Tables without row ids, all of them
 * small, have one checksum for the whole table, which is compared before they are changed, too:
 * their new one must not vouch for damage. A file of an older format has none; it is read as
 * before, and gets them in its next transaction.
 *
 * <p>Indexes have none. SQLite compares them with their tables before anything is written, and
 * before a proof is looked up: a row that is not found is not absent, and would be written twice.
 */
final class RowSums implements Database.ChangeListener {

  static final String TABLE = "row_sum";

  /** Where the checksum of a table without row ids stands. */
  private static final long WHOLE = 0;

  /** Tables whose rows have a checksum each. */
  private static final Set<String> BY_ROW =
      Set.of(
          "chain",
          "headers",
          "scripts",
          "outpoint",
          "tx",
          "proof",
          "filter",
          "epoch",
          "load",
          "shown",
          "scan_row",
          "session");

  private static final Set<String> AS_A_WHOLE = Set.of("meta", "peer", "address");

  /** Tables whose rows are also found by an index, which has no checksums. */
  private static final List<String> INDEXED = List.of("tx", "proof", "filter");

  private final Database db;
  private final Map<String, Set<Long>> changed = new TreeMap<>();

  RowSums(Database db) {
    this.db = db;
    db.listen(this);
  }

  @Override
  public void changing(String table) throws SQLException {
    if (!changed.containsKey(table)) {
      check(List.of(table));
      changed(table, WHOLE);
    }
  }

  @Override
  public void changed(String table, long row) {
    if (BY_ROW.contains(table)) {
      changed.computeIfAbsent(table, t -> new TreeSet<>()).add(row);
    } else if (AS_A_WHOLE.contains(table)) {
      changed.computeIfAbsent(table, t -> new TreeSet<>()).add(WHOLE);
    }
  }

  /** What changed was rolled back. */
  void forget() {
    changed.clear();
  }

  /** Writes the checksums of all that a transaction changed, as its last part. */
  void write() throws SQLException {
    if (db.pragma("user_version") < Schema.FORMAT) {
      db.execute(Schema.ROW_SUMS);
      db.execute("DELETE FROM row_sum");
      for (String table : BY_ROW) {
        if (db.hasTable(table)) {
          put(table, rows("SELECT rowid, * FROM " + table));
        }
      }
      AS_A_WHOLE.forEach(table -> changed(table, WHOLE));
      db.execute("PRAGMA user_version = " + Schema.FORMAT);
      changed.keySet().retainAll(AS_A_WHOLE);
    }
    for (Map.Entry<String, Set<Long>> entry : changed.entrySet()) {
      String table = entry.getKey();
      if (AS_A_WHOLE.contains(table)) {
        put(table, Map.of(WHOLE, whole(table)));
        continue;
      }
      Map<Long, Long> sums = new HashMap<>();
      db.each(
          "SELECT rowid, * FROM " + table + " WHERE rowid = ?",
          entry.getValue(),
          r -> sums.put(r.getLong(1), of(r, 2)));
      entry.getValue().removeAll(sums.keySet());
      db.changeEach(
          "DELETE FROM row_sum WHERE name = ? AND row = ?",
          entry.getValue(),
          (row, s) -> {
            s.setString(1, table);
            s.setLong(2, row);
          });
      put(table, sums);
    }
    changed.clear();
  }

  private void put(String table, Map<Long, Long> sums) throws SQLException {
    db.changeEach(
        "INSERT OR REPLACE INTO row_sum VALUES (?, ?, ?)",
        sums.entrySet(),
        (sum, s) -> {
          s.setString(1, table);
          s.setLong(2, sum.getKey());
          s.setLong(3, sum.getValue());
        });
  }

  /**
   * Compares tables with their checksums. In one snapshot with whatever is read of them.
   *
   * @throws IllegalArgumentException if they are not as they were written
   */
  void check(List<String> tables) throws SQLException {
    if (isWithout()) {
      return;
    }
    for (String table : tables) {
      Map<Long, Long> written = new HashMap<>();
      db.all(
          "SELECT row, sum FROM row_sum WHERE name = ?",
          r -> written.put(r.getLong(1), r.getLong(2)),
          table);
      Map<Long, Long> read = Map.of();
      if (AS_A_WHOLE.contains(table)) {
        read = Map.of(WHOLE, whole(table));
      } else if (db.hasTable(table)) {
        read = rows("SELECT rowid, * FROM " + table);
      }
      if (!read.equals(written)) {
        throw damage(table);
      }
      if (table.equals("proof")) {
        // The one that is read by its index.
        checkIndex(table);
      }
    }
  }

  /**
   * Compares the indexes of all tables with what is in the tables.
   *
   * @throws IllegalArgumentException if they do not lead to each row, and to nothing else
   */
  void checkIndexes() throws SQLException {
    for (String table : INDEXED) {
      checkIndex(table);
    }
  }

  private void checkIndex(String table) throws SQLException {
    String found = db.first("PRAGMA integrity_check(" + table + ")", r -> r.getString(1));
    if (!"ok".equals(found)) {
      throw damage(table);
    }
  }

  /** Whether the file is of a format that has no checksums. */
  boolean isWithout() throws SQLException {
    if (db.hasTable(TABLE)) {
      return false;
    }
    if (db.pragma("user_version") >= Schema.FORMAT) {
      throw damage(TABLE);
    }
    return true;
  }

  static IllegalArgumentException damage(String table) {
    return new IllegalArgumentException(
        "the table "
            + table
            + " is not as it was written; a wallet restored from its words, or from `murmur export"
            + " descriptor`, syncs again");
  }

  private Map<Long, Long> rows(String sql) throws SQLException {
    Map<Long, Long> sums = new HashMap<>();
    db.all(sql, r -> sums.put(r.getLong(1), of(r, 2)));
    return sums;
  }

  private long whole(String table) throws SQLException {
    long[] sum = {0};
    if (db.hasTable(table)) {
      // Rows come in the order of their key.
      db.all("SELECT * FROM " + table, r -> sum[0] = 31 * sum[0] + of(r, 1));
    }
    return sum[0];
  }

  /** The checksum of a row's values from a column on. */
  private static long of(ResultSet row, int from) throws SQLException {
    return of(row, from, row.getMetaData().getColumnCount());
  }

  /** The checksum of a row's values in these columns. */
  static long of(ResultSet row, int from, int to) throws SQLException {
    CRC32 crc = new CRC32();
    for (int i = from; i <= to; i++) {
      add(crc, row.getObject(i));
    }
    return crc.getValue();
  }

  private static void add(CRC32 crc, @Nullable Object value) {
    byte[] bytes;
    if (value instanceof byte[] blob) {
      crc.update('b');
      bytes = blob;
    } else {
      crc.update(value == null ? 'n' : value instanceof String ? 's' : 'i');
      bytes = String.valueOf(value).getBytes(StandardCharsets.UTF_8);
    }
    crc.update(bytes.length);
    crc.update(bytes.length >> 8);
    crc.update(bytes.length >> 16);
    crc.update(bytes, 0, bytes.length);
  }
}
