package org.murmur.android;

import android.database.Cursor;
import android.database.SQLException;
import android.database.sqlite.SQLiteDatabase;
import org.murmur.wallet.store.sql.SqlConnection;
import org.murmur.wallet.store.sql.SqlStatement;

/**
 * A connection of Android. It has one connection of SQLite for all threads, because Android's own
 * write-ahead log is not asked for.
 */
final class AndroidConnection implements SqlConnection {

  /** Something that talks to SQLite. */
  interface Task<T> {
    T run();
  }

  private final SQLiteDatabase database;
  private boolean writing;

  AndroidConnection(SQLiteDatabase database) {
    this.database = database;
  }

  static <T> T call(Task<T> task) throws java.sql.SQLException {
    try {
      return task.run();
    } catch (SQLException | IllegalStateException e) {
      throw AndroidErrors.of(e);
    }
  }

  /**
   * A savepoint where there is no transaction begins one that reads; Android has no word for it.
   */
  @Override
  public void begin(boolean writes) throws java.sql.SQLException {
    execute(writes ? "BEGIN IMMEDIATE" : "SAVEPOINT reading");
    writing = writes;
  }

  @Override
  public void commit() throws java.sql.SQLException {
    execute(writing ? "COMMIT" : "RELEASE reading");
    writing = false;
  }

  @Override
  public void rollback() throws java.sql.SQLException {
    writing = false;
    execute("ROLLBACK");
  }

  @Override
  public void execute(String sql) throws java.sql.SQLException {
    call(
        () -> {
          if (sql.startsWith("PRAGMA")) {
            try (Cursor rows = database.rawQuery(sql, null)) {
              rows.moveToFirst();
            }
          } else {
            database.execSQL(sql);
          }
          return true;
        });
  }

  @Override
  public SqlStatement prepare(String sql) {
    return new AndroidStatement(database, sql);
  }

  @Override
  public void close() throws java.sql.SQLException {
    call(
        () -> {
          database.close();
          return true;
        });
  }
}
