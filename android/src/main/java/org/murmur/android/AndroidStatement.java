package org.murmur.android;

import android.database.Cursor;
import android.database.CursorWindow;
import android.database.sqlite.SQLiteCursor;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteProgram;
import android.database.sqlite.SQLiteStatement;
import android.os.Build;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.store.sql.SqlRows;
import org.murmur.wallet.store.sql.SqlStatement;

/** A statement of Android, compiled when it runs. */
final class AndroidStatement implements SqlStatement {

  /** Rows are read through a window, which must hold each of them. Android's own has 2 MB. */
  private static final long WINDOW_BYTES = 16 << 20;

  private final SQLiteDatabase database;
  private final String sql;
  private final Map<Integer, Long> numbers = new TreeMap<>();
  private final Map<Integer, byte[]> blobs = new TreeMap<>();

  AndroidStatement(SQLiteDatabase database, String sql) {
    this.database = database;
    this.sql = sql;
  }

  @Override
  public void setLong(int parameter, long value) {
    numbers.put(parameter, value);
  }

  @Override
  public void setBytes(int parameter, byte[] value) {
    blobs.put(parameter, value);
  }

  private void bind(SQLiteProgram program) {
    numbers.forEach(program::bindLong);
    blobs.forEach(program::bindBlob);
  }

  @Override
  public void execute() throws SQLException {
    AndroidConnection.call(
        () -> {
          try (SQLiteStatement statement = database.compileStatement(sql)) {
            bind(statement);
            statement.execute();
            return true;
          }
        });
  }

  @Override
  public SqlRows query() throws SQLException {
    return AndroidConnection.call(
        () ->
            new AndroidRows(
                database.rawQueryWithFactory(
                    (db, driver, table, query) -> {
                      bind(query);
                      SQLiteCursor cursor = new SQLiteCursor(driver, table, query);
                      if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
                        cursor.setWindow(new CursorWindow(sql, WINDOW_BYTES));
                      }
                      return cursor;
                    },
                    sql,
                    null,
                    "")));
  }

  @Override
  public void close() {
    // It is closed when it ran; its rows close their cursor.
  }

  /** The rows of a cursor, whose columns count from 0. It throws at blobs where no blob belongs. */
  private record AndroidRows(Cursor cursor) implements SqlRows {

    @Override
    public boolean next() throws SQLException {
      return AndroidConnection.call(cursor::moveToNext);
    }

    @Override
    public long getLong(int column) throws SQLException {
      return AndroidConnection.call(
          () -> is(column, Cursor.FIELD_TYPE_BLOB) ? 0 : cursor.getLong(column - 1));
    }

    @Override
    public byte @Nullable [] getBytes(int column) throws SQLException {
      return AndroidConnection.call(
          () -> is(column, Cursor.FIELD_TYPE_BLOB) ? cursor.getBlob(column - 1) : new byte[0]);
    }

    private boolean is(int column, int type) {
      return cursor.getType(column - 1) == type;
    }

    @Override
    public void close() throws SQLException {
      AndroidConnection.call(
          () -> {
            cursor.close();
            return true;
          });
    }
  }
}
