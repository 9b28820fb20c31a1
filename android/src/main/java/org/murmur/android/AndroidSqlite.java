package org.murmur.android;

import android.database.SQLException;
import android.database.sqlite.SQLiteDatabase;
import java.nio.file.Path;
import org.murmur.wallet.Storage;
import org.murmur.wallet.store.sql.SqlConnection;
import org.murmur.wallet.store.sql.SqlEngine;

/**
 * The phone's own SQLite. A wallet's file is the same as that of other systems.
 *
 * <pre>{@code
 * SpvWallet wallet = SpvWallet.open(file, AndroidSqlite.storage());
 * }</pre>
 */
public final class AndroidSqlite implements SqlEngine {

  /** The only one. */
  public static final SqlEngine ENGINE = new AndroidSqlite();

  private static final Storage STORAGE = Storage.by(ENGINE);

  private AndroidSqlite() {}

  /**
   * {@return storage of wallets in the phone's SQLite, for {@code SpvWallet.create}, {@code open}
   * and {@code rename}}
   */
  public static Storage storage() {
    return STORAGE;
  }

  @Override
  public SqlConnection open(Path file, Access access) throws java.sql.SQLException {
    int mode =
        access == Access.WRITE ? SQLiteDatabase.OPEN_READWRITE : SQLiteDatabase.OPEN_READONLY;
    try {
      return new AndroidConnection(
          SQLiteDatabase.openDatabase(
              file.toString(),
              null,
              // Without the flag Android would add a table of its own.
              mode | SQLiteDatabase.NO_LOCALIZED_COLLATORS,
              // Android's own handler deletes a database that is damaged.
              damaged -> {}));
    } catch (SQLException e) {
      throw AndroidErrors.of(e);
    }
  }
}
