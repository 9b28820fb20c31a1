package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.overview.Recoverable;

/**
 * A checksum for every row of every table, written in the transaction that writes the row and
 * compared before the row is used. SQLite notices damage of its own pages only: a flipped bit
 * inside a script, a height or a flag would be believed.
 *
 * <p>A CRC-32 finds every flipped bit and every burst of up to 32 bits. It is for accidents of disk
 * and memory, not for people: whoever may write the file can write the checksum, too.
 *
 * <p>SQLite itself reports which rows a transaction changed. In tables without row ids whoever
 * changes a row {@linkplain Database#touch says so}, and a hash of its key stands for the row id.
 *
 * <p>Damaged rows that are {@linkplain Recoverable regainable} are passed over, and deleted by the
 * next transaction. All other damage is an error.
 *
 * <p>Indexes have none. SQLite compares them with their tables before the first change of a table
 * that has one: a row that is not found is not absent, and would be written twice.
 */
final class RowChecksums implements Database.ChangeListener {

  /** Tables whose rows have an id. */
  private static final Set<String> NUMBERED =
      Set.of(
          "chain",
          "headers",
          "script",
          "outpoints",
          "block",
          "unconfirmed",
          "txid",
          "filter",
          "epoch",
          "load",
          "showing",
          "scan_row",
          "session",
          "traffic",
          "told",
          "given",
          "label");

  /** The keys of tables without row ids: their first columns. */
  private static final Map<String, List<String>> KEYED =
      Map.of(
          "meta", List.of("key"),
          "peer", List.of("host", "port"),
          "address", List.of("network", "address", "port"));

  private final Database db;
  private final Map<String, Layout> layouts = new HashMap<>();
  private final Map<String, Set<Long>> changed = new TreeMap<>();
  private final Map<String, Map<Long, Object[]>> touched = new TreeMap<>();
  private final Set<Recoverable> lost = EnumSet.noneOf(Recoverable.class);
  private final Set<Recoverable> unreported = EnumSet.noneOf(Recoverable.class);
  // Tables whose damage is not mended yet.
  private final Set<Recoverable> reported = EnumSet.noneOf(Recoverable.class);

  RowChecksums(Database db) throws SQLException {
    this.db = db;
    db.listen(this);
  }

  /** Makes something of a row that is as it was written. */
  interface Reader<T> {
    T read(Row row);
  }

  @Override
  public void changing(String table, Object... key) throws SQLException {
    if (table.equals("meta") && !touched.containsKey(table)) {
      rows(table, row -> row);
    }
    touched.computeIfAbsent(table, t -> new TreeMap<>()).put(new Row(key).key(key.length), key);
  }

  @Override
  public void changed(String table, long row) {
    if (NUMBERED.contains(table)) {
      changed.computeIfAbsent(table, t -> new TreeSet<>()).add(row);
    }
  }

  /** Forgets the changes: they were rolled back. */
  void forget() {
    changed.clear();
    touched.clear();
  }

  /** Writes the checksums of all that a transaction changed, as its last part. */
  void write() throws SQLException {
    db.report();
    for (Map.Entry<String, Set<Long>> entry : changed.entrySet()) {
      writeNumbered(entry.getKey(), entry.getValue());
    }
    for (Map.Entry<String, Map<Long, Object[]>> entry : touched.entrySet()) {
      writeKeyed(entry.getKey(), entry.getValue());
    }
    if (db.pragma("user_version") != Schema.FORMAT) {
      db.execute("PRAGMA user_version = " + Schema.FORMAT);
    }
    forget();
  }

  private Layout layout(String table) throws SQLException {
    Layout known = layouts.get(table);
    if (known == null) {
      known = Layout.of(db, table);
      layouts.put(table, known);
    }
    return known;
  }

  private static int keyColumns(String table) {
    return KEYED.getOrDefault(table, List.of()).size();
  }

  private void writeNumbered(String table, Set<Long> ids) throws SQLException {
    Layout layout = layout(table);
    Map<Long, Long> sums = new HashMap<>();
    db.each(
        "SELECT rowid, " + layout.columns() + " FROM " + table + " WHERE rowid = ?",
        ids,
        r -> sums.put(r.getLong(1), layout.read(r, 2).sum()));
    replace(table, ids, sums);
  }

  private void writeKeyed(String table, Map<Long, Object[]> keys) throws SQLException {
    Layout layout = layout(table);
    Map<Long, Long> sums = new HashMap<>();
    String sql =
        "SELECT "
            + layout.columns()
            + " FROM "
            + table
            + " WHERE "
            + String.join(" = ? AND ", KEYED.getOrDefault(table, List.of()))
            + " = ?";
    for (Map.Entry<Long, Object[]> key : keys.entrySet()) {
      Long sum = db.first(sql, r -> layout.read(r, 1).sum(), key.getValue());
      if (sum != null) {
        sums.put(key.getKey(), sum);
      }
    }
    replace(table, keys.keySet(), sums);
  }

  private void replace(String table, Set<Long> ids, Map<Long, Long> sums) throws SQLException {
    Set<Long> gone = new TreeSet<>(ids);
    gone.removeAll(sums.keySet());
    db.changeEach(
        "DELETE FROM row_sum WHERE name = ? AND row = ?",
        gone,
        (row, s) -> {
          s.setString(1, table);
          s.setLong(2, row);
        });
    put(table, sums);
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
   * Compares tables with their checksums, in one snapshot with whatever is read of them. Throws
   * {@link IllegalArgumentException} if they are not as they were written.
   */
  void check(List<String> tables) throws SQLException {
    for (String table : tables) {
      rows(table, row -> true);
    }
  }

  /**
   * Reads a table in the order of row ids or keys, without damaged rows that are regainable, and
   * compares it with its checksums on the way. In one snapshot. Throws {@link
   * IllegalArgumentException} if it is not as it was written.
   */
  <T> List<T> rows(String table, Reader<T> reader) throws SQLException {
    lost.removeAll(Recoverable.of(table));
    return KEYED.containsKey(table) ? keyed(table, reader) : numbered(table, reader);
  }

  private <T> List<T> numbered(String table, Reader<T> reader) throws SQLException {
    List<T> rows = new ArrayList<>();
    long[] last = {Long.MIN_VALUE};
    int[] bad = {0};
    Layout layout = layout(table);
    String sum = "(SELECT sum FROM row_sum WHERE name = ?1 AND row = t.rowid)";
    db.each(
        "SELECT ifnull("
            + sum
            + ", -1), rowid, "
            + layout.columns()
            + " FROM "
            + table
            + " AS t ORDER BY rowid",
        r -> {
          Layout.Read read = layout.read(r, 3);
          // Otherwise a row that is read twice would make up for one that is missing.
          long id = r.getLong(2);
          boolean next = id > last[0];
          last[0] = id;
          if (next && r.getLong(1) == read.sum()) {
            rows.add(reader.read(read.row()));
          } else {
            lose(table, "");
            bad[0]++;
          }
        },
        table);
    Long written =
        db.first("SELECT count(*) FROM row_sum WHERE name = ?", r -> r.getLong(1), table);
    if (written == null || written != rows.size() + bad[0]) {
      lose(table, "");
    }
    return rows;
  }

  private <T> List<T> keyed(String table, Reader<T> reader) throws SQLException {
    Map<Long, Long> written = new HashMap<>();
    db.each(
        "SELECT row, sum FROM row_sum WHERE name = ?",
        r -> written.put(r.getLong(1), r.getLong(2)),
        table);
    Map<Long, String> names = new HashMap<>();
    for (Recoverable one : Recoverable.of(table)) {
      names.put(new Row(one.key()).key(1), one.key());
    }
    List<T> rows = new ArrayList<>();
    int[] strays = {0};
    Layout layout = layout(table);
    db.each(
        "SELECT " + layout.columns() + " FROM " + table,
        r -> {
          Layout.Read read = layout.read(r, 1);
          Row key = read.first(keyColumns(table));
          Long id = key == null ? null : key.key(keyColumns(table));
          Long sum = id == null ? null : written.remove(id);
          if (sum != null && sum == read.sum()) {
            rows.add(reader.read(read.row()));
          } else if (sum != null || names.containsKey(id)) {
            lose(table, names.getOrDefault(id, ""));
          } else {
            strays[0]++;
          }
        });
    // A stray row may be a missing one whose key was damaged, and there is no more to it then.
    for (long id : written.keySet()) {
      lose(table, names.getOrDefault(id, ""));
    }
    if (strays[0] > written.size()) {
      lose(table, "");
    }
    return rows;
  }

  /** Passes over a row, by its name or as one of a table, or refuses the file. */
  private void lose(String table, String key) {
    for (Recoverable one : Recoverable.of(table)) {
      if (one.key().equals(key)) {
        lost.add(one);
        if (!reported.contains(one)) {
          unreported.add(one);
        }
        return;
      }
    }
    throw damage(table);
  }

  /** Whether it was found to be damaged, and still is in the file. */
  boolean isLost(Recoverable one) {
    return lost.contains(one);
  }

  /** Hands out what was found to be damaged and passed over: each loss once. */
  Set<Recoverable> takeLosses() {
    Set<Recoverable> news = EnumSet.copyOf(unreported);
    reported.addAll(news);
    unreported.clear();
    return news;
  }

  /** Deletes damaged rows that are regainable, at the beginning of a transaction. */
  void dropLost() throws SQLException {
    Set<String> tables = new TreeSet<>();
    lost.forEach(one -> tables.add(one.table()));
    for (String table : tables) {
      List<Row> sound = rows(table, row -> row);
      db.change("DELETE FROM " + table + " WHERE true");
      db.change("DELETE FROM row_sum WHERE name = ?", table);
      for (Row row : sound) {
        insert(table, row);
      }
    }
  }

  private void insert(String table, Row row) throws SQLException {
    @Nullable Object[] values = row.values();
    String marks = String.join(", ", Collections.nCopies(values.length, "?"));
    db.change("INSERT INTO " + table + " VALUES (" + marks + ")", values);
    if (KEYED.containsKey(table)) {
      touched
          .computeIfAbsent(table, t -> new TreeMap<>())
          .put(row.key(keyColumns(table)), Arrays.copyOf(values, keyColumns(table)));
    }
  }

  /** Forgets the deleted rows: they are on disk no more. */
  void lostIsDropped() {
    reported.removeAll(lost);
    lost.clear();
  }

  /**
   * Compares the index of a table with what is in the table. Throws {@link
   * IllegalArgumentException} if it does not lead to each row, and to nothing else.
   */
  void checkIndex(String table) throws SQLException {
    String found = db.first("PRAGMA integrity_check(" + table + ")", r -> Database.text(r, 1));
    if (!"ok".equals(found)) {
      throw damage(table);
    }
  }

  /**
   * Reads rows by their ids, and compares them with their checksums. A row that the transaction has
   * changed so far has none yet, and is believed. Throws {@link IllegalArgumentException} if they
   * are not as they were written, or are missing.
   */
  <T> Map<Long, T> rows(String table, Collection<Long> ids, Reader<T> reader) throws SQLException {
    Map<Long, T> rows = new TreeMap<>();
    if (ids.isEmpty()) {
      return rows;
    }
    db.report();
    Set<Long> fresh = changed.getOrDefault(table, Set.of());
    String sum = "(SELECT sum FROM row_sum WHERE name = '" + table + "' AND row = k.wanted)";
    Layout layout = layout(table);
    db.each(
        "SELECT ifnull("
            + sum
            + ", -1), k.wanted, ifnull(t.rowid, -1), "
            + layout.columns()
            + " FROM (SELECT ?1 AS wanted) AS k LEFT JOIN "
            + table
            + " AS t ON t.rowid = k.wanted",
        ids,
        r -> {
          long id = r.getLong(2);
          boolean there = r.getLong(3) == id;
          boolean checks = !fresh.contains(id);
          Layout.Read read = there ? layout.read(r, 4) : null;
          if (checks && r.getLong(1) != (read == null ? -1 : read.sum())) {
            throw damage(table);
          }
          if (read != null) {
            rows.put(id, reader.read(read.row()));
          }
        });
    return rows;
  }

  /**
   * Reads the ids of rows, highest first. Throws {@link IllegalArgumentException} if rows are
   * missing.
   */
  List<Long> ids(String table, long lowest, long highest, int most) throws SQLException {
    List<Long> ids =
        db.all(
            "SELECT rowid FROM "
                + table
                + " WHERE rowid >= ? AND rowid <= ? ORDER BY rowid DESC LIMIT ?",
            r -> r.getLong(1),
            lowest,
            highest,
            most);
    db.report();
    if (!changed.containsKey(table)) {
      List<Long> written =
          db.all(
              "SELECT row FROM row_sum WHERE name = ? AND row >= ? AND row <= ?"
                  + " ORDER BY row DESC LIMIT ?",
              r -> r.getLong(1),
              table,
              lowest,
              highest,
              most);
      if (!written.equals(ids)) {
        throw damage(table);
      }
    }
    return ids;
  }

  static IllegalArgumentException damage(String table) {
    return new IllegalArgumentException("the table " + table + " is not as it was written");
  }
}
