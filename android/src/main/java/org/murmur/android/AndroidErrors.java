package org.murmur.android;

import android.database.sqlite.SQLiteAbortException;
import android.database.sqlite.SQLiteAccessPermException;
import android.database.sqlite.SQLiteBlobTooBigException;
import android.database.sqlite.SQLiteCantOpenDatabaseException;
import android.database.sqlite.SQLiteConstraintException;
import android.database.sqlite.SQLiteDatabaseCorruptException;
import android.database.sqlite.SQLiteDatabaseLockedException;
import android.database.sqlite.SQLiteDiskIOException;
import android.database.sqlite.SQLiteFullException;
import android.database.sqlite.SQLiteOutOfMemoryException;
import android.database.sqlite.SQLiteReadOnlyDatabaseException;
import android.database.sqlite.SQLiteTableLockedException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Gives back to Android's exceptions the result codes of SQLite that they were made from. */
final class AndroidErrors {

  private static final int ERROR = 1;
  private static final int MISUSE = 21;

  private static final Map<Class<?>, Integer> CODES = new LinkedHashMap<>();

  static {
    CODES.put(SQLiteAbortException.class, 4);
    CODES.put(SQLiteDatabaseLockedException.class, 5);
    CODES.put(SQLiteTableLockedException.class, 6);
    CODES.put(SQLiteOutOfMemoryException.class, 7);
    CODES.put(SQLiteReadOnlyDatabaseException.class, 8);
    CODES.put(SQLiteDiskIOException.class, 10);
    CODES.put(SQLiteDatabaseCorruptException.class, 11);
    CODES.put(SQLiteFullException.class, 13);
    CODES.put(SQLiteCantOpenDatabaseException.class, 14);
    CODES.put(SQLiteAccessPermException.class, 14);
    CODES.put(SQLiteBlobTooBigException.class, 18);
    CODES.put(SQLiteConstraintException.class, 19);
  }

  private AndroidErrors() {}

  static SQLException of(RuntimeException e) {
    // Android throws this for a database that was closed.
    int other = e instanceof IllegalStateException ? MISUSE : ERROR;
    return new SQLException(e.getMessage(), "", CODES.getOrDefault(e.getClass(), other), e);
  }
}
