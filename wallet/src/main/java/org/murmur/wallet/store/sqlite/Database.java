package org.murmur.wallet.store.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConnection;

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

  /** SQLITE_OPEN_READONLY | SQLITE_OPEN_URI. */
  private static final int READ_ONLY_URI = 0x1 | 0x40;

  private final Connection connection;
  private @Nullable ChangeListener listener;

  private Database(Connection connection) {
    this.connection = connection;
  }

  /** What a file is opened for. */
  enum Access {
    /** Everything. */
    WRITE,
    /** Reading, together with the log of somebody who may write. */
    READ,
    /** Reading what nobody writes to: SQLite need not look for a log, nor make one. */
    FROZEN
  }

  /** Makes something of one row of an answer. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Does something with one row of an answer. */
  interface RowWork {
    void take(ResultSet row) throws SQLException;
  }

  /** Puts something in the place of a statement's question marks. */
  interface RowWriter<T> {
    void bind(T value, PreparedStatement statement) throws SQLException;
  }

  static Database open(Path file, Access access) throws SQLException {
    Properties properties = new Properties();
    if (access != Access.WRITE) {
      properties.setProperty("open_mode", Integer.toString(READ_ONLY_URI));
    }
    String url =
        switch (access) {
          case WRITE -> file.toString();
          case READ -> uri(file);
          case FROZEN -> uri(file) + "?immutable=1";
        };
    Database db = new Database(JDBC.createConnection("jdbc:sqlite:" + url, properties));
    boolean done = false;
    try {
      db.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
      if (access == Access.WRITE) {
        db.execute("PRAGMA synchronous = FULL");
        db.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
      }
      db.execute("PRAGMA foreign_keys = ON");
      done = true;
      return db;
    } finally {
      if (!done) {
        db.close();
      }
    }
  }

  /**
   * The path as a URI that SQLite reads: a question mark or a hash in a folder's name is no end of
   * it.
   */
  private static String uri(Path file) {
    return "file:" + file.toAbsolutePath().toUri().getRawPath();
  }

  /** Hears of rows that this connection changes. */
  interface ChangeListener {
    /** A row of a table without row ids is about to change. */
    void changing(String table, Object... key) throws SQLException;

    /** A row has been written or deleted. */
    void changed(String table, long row);
  }

  /**
   * Has changes reported: those of tables with row ids by SQLite, those of others by {@link
   * #touch}.
   */
  void listen(ChangeListener heard) {
    listener = heard;
    if (connection instanceof SQLiteConnection sqlite) {
      sqlite.addUpdateListener((type, database, table, row) -> heard.changed(table, row));
    }
  }

  /** Says that a row of a table without row ids is about to change. */
  void touch(String table, Object... key) throws SQLException {
    ChangeListener heard = listener;
    if (heard != null) {
      heard.changing(table, key);
    }
  }

  void execute(String sql) throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.execute(sql);
    }
  }

  long pragma(String name) throws SQLException {
    try (Statement s = connection.createStatement();
        ResultSet r = s.executeQuery("PRAGMA " + name)) {
      return r.next() ? r.getLong(1) : 0;
    }
  }

  boolean hasTable(String name) throws SQLException {
    return first("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", r -> true, name)
        != null;
  }

  /** Every row of an answer, in its order. */
  <T> List<T> all(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
    List<T> rows = new ArrayList<>();
    try (PreparedStatement s = prepared(sql, parameters);
        ResultSet r = s.executeQuery()) {
      while (r.next()) {
        rows.add(reader.read(r));
      }
    }
    return rows;
  }

  /** Has something done with every row of the answers to one question, asked of each key. */
  void each(String sql, Collection<Long> keys, RowWork work) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      for (long key : keys) {
        s.setLong(1, key);
        try (ResultSet r = s.executeQuery()) {
          while (r.next()) {
            work.take(r);
          }
        }
      }
    }
  }

  /** Has something done with every row of an answer, in its order. */
  void each(String sql, RowWork work, Object... parameters) throws SQLException {
    try (PreparedStatement s = prepared(sql, parameters);
        ResultSet r = s.executeQuery()) {
      while (r.next()) {
        work.take(r);
      }
    }
  }

  /** The first row of an answer, or null if it has none. */
  <T> @Nullable T first(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
    try (PreparedStatement s = prepared(sql, parameters);
        ResultSet r = s.executeQuery()) {
      return r.next() ? reader.read(r) : null;
    }
  }

  /** Runs a statement that changes rows. */
  void change(String sql, @Nullable Object... parameters) throws SQLException {
    try (PreparedStatement s = prepared(sql, parameters)) {
      s.executeUpdate();
    }
  }

  /** Runs a statement that changes rows once for each value. */
  <T> void changeEach(String sql, Collection<T> values, RowWriter<T> writer) throws SQLException {
    if (values.isEmpty()) {
      return;
    }
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      for (T value : values) {
        writer.bind(value, s);
        s.executeUpdate();
      }
    }
  }

  private PreparedStatement prepared(String sql, @Nullable Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    boolean done = false;
    try {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      done = true;
      return statement;
    } finally {
      if (!done) {
        statement.close();
      }
    }
  }

  /**
   * Reads bytes of a column that is never NULL: the schema says so, but SQLite does not look when
   * it reads, and a damaged record can hold anything.
   *
   * @throws IllegalArgumentException if there are none
   */
  static byte[] bytes(ResultSet row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    if (bytes == null) {
      throw missing(row, column);
    }
    return bytes;
  }

  /**
   * Reads text of a column that is never NULL.
   *
   * @throws IllegalArgumentException if there is none
   */
  static String text(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    if (text == null) {
      throw missing(row, column);
    }
    return text;
  }

  private static IllegalArgumentException missing(ResultSet row, int column) throws SQLException {
    return new IllegalArgumentException(
        "column " + row.getMetaData().getColumnName(column) + " is empty");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
