package org.murmur.wallet;

import java.nio.file.Path;
import java.util.List;
import org.murmur.wallet.internal.sqlite.JdbcEngine;
import org.murmur.wallet.internal.sqlite.SqliteStore;
import org.murmur.wallet.store.ScriptRun;
import org.murmur.wallet.store.StoreFactory;
import org.murmur.wallet.store.StoredWallet;
import org.murmur.wallet.store.WalletStore;
import org.murmur.wallet.store.sql.SqlEngine;

/** Stores in SQLite, by any library that reads and writes it: the file's format is the same. */
public final class SqlStores implements StoreFactory {

  static final StoreFactory BY_JDBC = new SqlStores(JdbcEngine.INSTANCE);

  private final SqlEngine engine;

  /**
   * Makes stores by a library.
   *
   * @param engine the library
   */
  public SqlStores(SqlEngine engine) {
    this.engine = engine;
  }

  @Override
  public WalletStore create(Path file, StoredWallet wallet, List<ScriptRun> scripts) {
    return SqliteStore.create(engine, file, wallet, scripts);
  }

  @Override
  public WalletStore open(Path file) {
    return SqliteStore.open(engine, file);
  }
}
