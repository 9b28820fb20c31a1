package org.murmur.wallet;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.internal.sqlite.JdbcEngine;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.internal.store.ScriptRun;
import org.murmur.wallet.internal.store.StoredWallet;
import org.murmur.wallet.internal.store.WalletStore;
import org.murmur.wallet.store.sql.SqlEngine;

/**
 * The library that reads and writes the files of wallets, and the wallets that share headers. A
 * file is the same by each library. Immutable.
 */
public final class Storage {

  private final SqlEngine engine;
  private final @Nullable SharedHeaders shared;

  private Storage(SqlEngine engine, @Nullable SharedHeaders shared) {
    this.engine = engine;
    this.shared = shared;
  }

  /**
   * {@return SQLite by its JDBC driver}
   *
   * @throws IllegalStateException on Android, which has an SQLite of its own
   */
  public static Storage jdbc() {
    if ("Dalvik".equals(System.getProperty("java.vm.name"))) {
      throw new IllegalStateException(
          "no storage named: on Android use AndroidSqlite.storage() of murmur-android");
    }
    return by(JdbcEngine.INSTANCE);
  }

  /**
   * Returns SQLite by another library.
   *
   * @param engine the library
   * @return sharing nothing
   */
  public static Storage by(SqlEngine engine) {
    return new Storage(engine, null);
  }

  /**
   * Returns storage whose wallets share their headers with others of this process.
   *
   * @param headers the wallets that share
   * @return a new value
   */
  public Storage sharing(SharedHeaders headers) {
    return new Storage(engine, headers);
  }

  WalletStore create(Path file, StoredWallet wallet, List<ScriptRun> scripts) {
    return SqliteStore.create(engine, file, wallet, scripts);
  }

  WalletStore open(Path file) {
    return SqliteStore.open(engine, file);
  }

  @Nullable SharedHeaders shared() {
    return shared;
  }
}
