package org.murmur.wallet.internal.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.store.sql.SqlConnection;
import org.murmur.wallet.store.sql.SqlEngine;
import org.murmur.wallet.store.sql.SqlRow;
import org.murmur.wallet.store.sql.SqlRows;
import org.murmur.wallet.store.sql.SqlStatement;

/**
 * A connection to SQLite, and the few words in which all tables are read and written. Belongs to
 * one thread.
 */
final class Database implements AutoCloseable {

  private static final int BUSY_MILLIS = 5_000;

  /**
   * Pages (16 MB) that the log may hold before they are brought home: SQLite's 1,000 are three
   * batches of headers, and a million of these took half as long again.
   */
  private static final int CHECKPOINT_PAGES = 4_000;

  private final SqlConnection connection;
  private @Nullable ChangeListener listener;

  private Database(SqlConnection connection) {
    this.connection = connection;
  }

  /** Makes something of one row of an answer. */
  interface RowReader<T> {
    T read(SqlRow row) throws SQLException;
  }

  /** Does something with one row of an answer. */
  interface RowWork {
    void take(SqlRow row) throws SQLException;
  }

  /** Puts something in the place of a statement's question marks. */
  interface RowWriter<T> {
    void bind(T value, SqlStatement statement) throws SQLException;
  }

  static Database open(SqlEngine engine, Path file, SqlEngine.Access access) throws SQLException {
    Database db = new Database(engine.open(file, access));
    try {
      db.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
      if (access == SqlEngine.Access.WRITE) {
        db.execute("PRAGMA synchronous = FULL");
        db.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
      }
      db.execute("PRAGMA foreign_keys = ON");
      return db;
    } catch (Throwable e) {
      db.close();
      throw e;
    }
  }

  /** Hears of rows that this connection changes. */
  interface ChangeListener extends SqlConnection.RowListener {
    /** A row of a table without row ids is about to change. */
    void changing(String table, Object... key) throws SQLException;
  }

  /**
   * Has changes reported: those of tables with row ids by SQLite, those of others by {@link
   * #touch}.
   */
  void listen(ChangeListener heard) throws SQLException {
    listener = heard;
    connection.listen(heard);
  }

  /** Returns when every row that the transaction changed is reported. */
  void report() throws SQLException {
    connection.report();
  }

  /** Says that a row of a table without row ids is about to change. */
  void touch(String table, Object... key) throws SQLException {
    ChangeListener heard = listener;
    if (heard != null) {
      heard.changing(table, key);
    }
  }

  /** Begins a transaction: one that writes, or that reads one state. */
  void begin(boolean writing) throws SQLException {
    connection.begin(writing);
  }

  void commit() throws SQLException {
    connection.commit();
  }

  void rollback() throws SQLException {
    connection.rollback();
  }

  void execute(String sql) throws SQLException {
    connection.execute(sql);
  }

  long pragma(String name) throws SQLException {
    Long value = first("PRAGMA " + name, r -> r.getLong(1));
    return value == null ? 0 : value;
  }

  long tables() throws SQLException {
    Long tables =
        first("SELECT count(*) FROM sqlite_master WHERE type = 'table'", r -> r.getLong(1));
    return tables == null ? 0 : tables;
  }

  /** Every row of an answer, in its order. */
  <T> List<T> all(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
    List<T> rows = new ArrayList<>();
    try (SqlStatement s = prepared(sql, parameters);
        SqlRows r = s.query()) {
      while (r.next()) {
        rows.add(reader.read(r));
      }
    }
    return rows;
  }

  /** Has something done with every row of the answers to one question, asked of each key. */
  void each(String sql, Collection<Long> keys, RowWork work) throws SQLException {
    try (SqlStatement s = connection.prepare(sql)) {
      for (long key : keys) {
        s.setLong(1, key);
        try (SqlRows r = s.query()) {
          while (r.next()) {
            work.take(r);
          }
        }
      }
    }
  }

  /** Has something done with every row of an answer, in its order. */
  void each(String sql, RowWork work, Object... parameters) throws SQLException {
    try (SqlStatement s = prepared(sql, parameters);
        SqlRows r = s.query()) {
      while (r.next()) {
        work.take(r);
      }
    }
  }

  /** The first row of an answer, or null if it has none. */
  <T> @Nullable T first(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
    try (SqlStatement s = prepared(sql, parameters);
        SqlRows r = s.query()) {
      return r.next() ? reader.read(r) : null;
    }
  }

  /** Runs a statement that changes rows. */
  void change(String sql, @Nullable Object... parameters) throws SQLException {
    try (SqlStatement s = prepared(sql, parameters)) {
      s.execute();
    }
  }

  /** Runs a statement that changes rows once for each value. */
  <T> void changeEach(String sql, Collection<T> values, RowWriter<T> writer) throws SQLException {
    if (values.isEmpty()) {
      return;
    }
    try (SqlStatement s = connection.prepare(sql)) {
      for (T value : values) {
        writer.bind(value, s);
        s.execute();
      }
    }
  }

  private SqlStatement prepared(String sql, @Nullable Object... parameters) throws SQLException {
    SqlStatement statement = connection.prepare(sql);
    try {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement;
    } catch (Throwable e) {
      statement.close();
      throw e;
    }
  }

  /**
   * Reads bytes of a column that is never NULL: the schema says so, but SQLite does not look when
   * it reads, and a damaged record can hold anything. Then it throws {@link
   * IllegalArgumentException}.
   */
  static byte[] bytes(SqlRow row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    if (bytes == null) {
      throw missing(row, column);
    }
    return bytes;
  }

  /** Reads text of a column that is never NULL, likewise. */
  static String text(SqlRow row, int column) throws SQLException {
    String text = row.getString(column);
    if (text == null) {
      throw missing(row, column);
    }
    return text;
  }

  private static IllegalArgumentException missing(SqlRow row, int column) throws SQLException {
    return new IllegalArgumentException("column " + row.name(column) + " is empty");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
