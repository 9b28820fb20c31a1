package org.murmur.wallet.internal.sqlite;

import java.nio.file.Path;
import org.murmur.wallet.store.sql.SqlEngine;

/** Damage that has the right checksums, which would be found first otherwise. */
public final class Vouched {

  private Vouched() {}

  /**
   * Changes a wallet's file past the wallet.
   *
   * @param file of a wallet that nobody writes
   * @param statements what to change; a row without an id keeps its key, or goes
   */
  public static void sql(Path file, String... statements) throws Exception {
    Database db = Database.open(JdbcEngine.INSTANCE, file, SqlEngine.Access.WRITE);
    try {
      RowChecksums sums = new RowChecksums(db);
      db.execute("PRAGMA foreign_keys = OFF");
      db.begin(true);
      for (Object[] key : db.all("SELECT key FROM meta", r -> new Object[] {r.getString(1)})) {
        db.touch("meta", key);
      }
      for (Object[] key :
          db.all("SELECT host, port FROM peer", r -> new Object[] {r.getString(1), r.getInt(2)})) {
        db.touch("peer", key);
      }
      for (String sql : statements) {
        db.execute(sql);
      }
      sums.write();
      db.commit();
    } finally {
      db.close();
    }
  }
}
