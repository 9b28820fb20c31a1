package org.murmur.android;

import android.database.Cursor;
import android.database.SQLException;
import android.database.sqlite.SQLiteDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.store.sql.SqlConnection;
import org.murmur.wallet.store.sql.SqlStatement;

/**
 * A connection of Android. It has one connection of SQLite for all threads, because Android's own
 * write-ahead log is not asked for.
 *
 * <p>Android does not pass on SQLite's reports of changed rows. Triggers of this connection write
 * them to a table of this connection, in memory.
 */
final class AndroidConnection implements SqlConnection {

  private static final String CHANGED =
      "CREATE TEMP TABLE changed_row (name TEXT NOT NULL, row INTEGER NOT NULL,"
          + " PRIMARY KEY (name, row)) WITHOUT ROWID";

  /** Something that talks to SQLite. */
  interface Task<T> {
    T run();
  }

  /** Reads a value that may be NULL. */
  interface Reading<T> {
    @Nullable T run();
  }

  private final SQLiteDatabase database;
  private @Nullable RowListener listener;
  private boolean writing;

  AndroidConnection(SQLiteDatabase database, boolean writable) throws java.sql.SQLException {
    this.database = database;
    if (writable) {
      boolean done = false;
      try {
        execute("PRAGMA temp_store = MEMORY");
        execute(CHANGED);
        done = true;
      } finally {
        if (!done) {
          database.close();
        }
      }
    }
  }

  static <T> T call(Task<T> task) throws java.sql.SQLException {
    try {
      return task.run();
    } catch (SQLException | IllegalStateException e) {
      throw AndroidErrors.of(e);
    }
  }

  static <T> @Nullable T read(Reading<T> reading) throws java.sql.SQLException {
    try {
      return reading.run();
    } catch (SQLException | IllegalStateException e) {
      throw AndroidErrors.of(e);
    }
  }

  @Override
  public void listen(RowListener heard) throws java.sql.SQLException {
    listener = heard;
    if (!database.isReadOnly()) {
      watchTables();
    }
  }

  /** Adds triggers to tables that have none: wallets get tables when they first need them. */
  private void watchTables() throws java.sql.SQLException {
    for (String table :
        texts(
            "SELECT name FROM main.sqlite_master WHERE type = 'table'"
                + " AND sql NOT LIKE '%WITHOUT ROWID' AND name NOT LIKE 'sqlite_%'"
                + " AND name NOT IN (SELECT tbl_name FROM temp.sqlite_master"
                + " WHERE type = 'trigger')")) {
      watch(table, "INSERT", "NEW");
      watch(table, "UPDATE", "NEW");
      watch(table, "DELETE", "OLD");
    }
  }

  private void watch(String table, String change, String row) throws java.sql.SQLException {
    execute(
        "CREATE TEMP TRIGGER "
            + (table + "_" + change.toLowerCase(Locale.ROOT))
            + " AFTER "
            + change
            + " ON main."
            + table
            + " BEGIN INSERT OR IGNORE INTO changed_row VALUES ('"
            + table
            + "', "
            + row
            + ".rowid); END");
  }

  private List<String> texts(String sql) throws java.sql.SQLException {
    return call(
        () -> {
          List<String> texts = new ArrayList<>();
          try (Cursor rows = database.rawQuery(sql, null)) {
            while (rows.moveToNext()) {
              texts.add(rows.getString(0));
            }
          }
          return texts;
        });
  }

  @Override
  public void report() throws java.sql.SQLException {
    RowListener heard = listener;
    if (heard == null || !writing) {
      return;
    }
    boolean some =
        call(
            () -> {
              boolean any = false;
              try (Cursor rows = database.rawQuery("SELECT name, row FROM changed_row", null)) {
                while (rows.moveToNext()) {
                  heard.changed(rows.getString(0), rows.getLong(1));
                  any = true;
                }
              }
              return any;
            });
    if (some) {
      execute("DELETE FROM changed_row");
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
    if (sql.startsWith("CREATE TABLE") && listener != null) {
      watchTables();
    }
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
