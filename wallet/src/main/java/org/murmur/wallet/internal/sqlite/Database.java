package org.murmur.wallet.internal.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import org.murmur.wallet.store.sql.SqlConnection;
import org.murmur.wallet.store.sql.SqlEngine;
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

  private Database(SqlConnection connection) {
    this.connection = connection;
  }

  /** The rows of an answer, which stand before the first, and the question to be closed with it. */
  record Answer(SqlStatement question, SqlRows rows) implements AutoCloseable {
    @Override
    public void close() throws SQLException {
      try {
        rows.close();
      } finally {
        question.close();
      }
    }
  }

  static Database open(SqlEngine engine, Path file, SqlEngine.Access access) throws SQLException {
    Database db = new Database(engine.open(file, access));
    try {
      db.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
      if (access == SqlEngine.Access.WRITE) {
        db.execute("PRAGMA synchronous = FULL");
        db.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
      }
      return db;
    } catch (Throwable e) {
      db.close();
      throw e;
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

  Answer ask(String sql, long... parameters) throws SQLException {
    SqlStatement question = prepared(sql, parameters);
    try {
      return new Answer(question, question.query());
    } catch (Throwable e) {
      question.close();
      throw e;
    }
  }

  /** The number that is an answer; 0 if there is none. */
  long number(String sql, long... parameters) throws SQLException {
    try (Answer answer = ask(sql, parameters)) {
      return answer.rows().next() ? answer.rows().getLong(1) : 0;
    }
  }

  /** Runs a statement that changes rows. */
  void change(String sql, long... parameters) throws SQLException {
    try (SqlStatement s = prepared(sql, parameters)) {
      s.execute();
    }
  }

  /** Runs a statement that writes a row: its id, its checksum and its content. */
  void insert(String sql, long id, long sum, byte[] data) throws SQLException {
    try (SqlStatement s = prepared(sql, id, sum)) {
      s.setBytes(3, data);
      s.execute();
    }
  }

  private SqlStatement prepared(String sql, long... parameters) throws SQLException {
    SqlStatement statement = connection.prepare(sql);
    try {
      for (int i = 0; i < parameters.length; i++) {
        statement.setLong(i + 1, parameters[i]);
      }
      return statement;
    } catch (Throwable e) {
      statement.close();
      throw e;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
