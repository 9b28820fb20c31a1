package org.murmur.android;

import android.database.Cursor;
import android.database.CursorWindow;
import android.database.sqlite.SQLiteCursor;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteProgram;
import android.database.sqlite.SQLiteStatement;
import android.os.Build;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.store.sql.SqlRows;
import org.murmur.wallet.store.sql.SqlStatement;

/** A statement of Android: it compiles one that changes rows once, and one that reads each time. */
final class AndroidStatement implements SqlStatement {

  /** Rows are read through a window, which must hold each of them. Android's own has 2 MB. */
  private static final long WINDOW_BYTES = 16 << 20;

  private final SQLiteDatabase database;
  private final String sql;
  private final List<@Nullable Object> parameters = new ArrayList<>();
  private @Nullable SQLiteStatement compiled;

  AndroidStatement(SQLiteDatabase database, String sql) {
    this.database = database;
    this.sql = sql;
  }

  private void set(int parameter, @Nullable Object value) {
    while (parameters.size() < parameter) {
      parameters.add(null);
    }
    parameters.set(parameter - 1, value);
  }

  @Override
  public void setLong(int parameter, long value) {
    set(parameter, value);
  }

  @Override
  public void setString(int parameter, @Nullable String value) {
    set(parameter, value);
  }

  @Override
  public void setBytes(int parameter, byte @Nullable [] value) {
    set(parameter, value);
  }

  private void bind(SQLiteProgram program) {
    for (int i = 1; i <= parameters.size(); i++) {
      Object value = parameters.get(i - 1);
      if (value instanceof Long number) {
        program.bindLong(i, number);
      } else if (value instanceof String text) {
        program.bindString(i, text);
      } else if (value instanceof byte[] bytes) {
        program.bindBlob(i, bytes);
      } else {
        program.bindNull(i);
      }
    }
  }

  @Override
  public void execute() throws SQLException {
    AndroidConnection.call(
        () -> {
          SQLiteStatement statement = compiled;
          if (statement == null) {
            statement = database.compileStatement(sql);
            compiled = statement;
          }
          bind(statement);
          statement.execute();
          return true;
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
  public void close() throws SQLException {
    SQLiteStatement statement = compiled;
    compiled = null;
    if (statement != null) {
      AndroidConnection.call(
          () -> {
            statement.close();
            return true;
          });
    }
  }

  /** The rows of a cursor, whose columns count from 0. */
  private record AndroidRows(Cursor cursor) implements SqlRows {

    @Override
    public boolean next() throws SQLException {
      return AndroidConnection.call(cursor::moveToNext);
    }

    @Override
    public long getLong(int column) throws SQLException {
      return AndroidConnection.call(() -> cursor.getLong(column - 1));
    }

    @Override
    public @Nullable String getString(int column) throws SQLException {
      return AndroidConnection.read(() -> cursor.getString(column - 1));
    }

    @Override
    public byte @Nullable [] getBytes(int column) throws SQLException {
      Object value = getObject(column);
      if (value == null || value instanceof byte[]) {
        return (byte[]) value;
      }
      return value.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public @Nullable Object getObject(int column) throws SQLException {
      return AndroidConnection.read(() -> value(column - 1));
    }

    private @Nullable Object value(int column) {
      return switch (cursor.getType(column)) {
        case Cursor.FIELD_TYPE_INTEGER -> cursor.getLong(column);
        case Cursor.FIELD_TYPE_FLOAT -> cursor.getDouble(column);
        case Cursor.FIELD_TYPE_STRING -> cursor.getString(column);
        case Cursor.FIELD_TYPE_BLOB -> cursor.getBlob(column);
        default -> null;
      };
    }

    @Override
    public String name(int column) throws SQLException {
      return AndroidConnection.call(() -> cursor.getColumnName(column - 1));
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
