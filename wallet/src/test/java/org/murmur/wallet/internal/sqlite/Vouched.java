package org.murmur.wallet.internal.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.murmur.wallet.store.sql.SqlEngine;

/** Damage that has the right checksums and seals, which would be found first otherwise. */
public final class Vouched {

  private Vouched() {}

  /** Changes a file past the wallet. */
  private interface Work {
    void run(Database db) throws SQLException;
  }

  /**
   * Changes a wallet's file past the wallet.
   *
   * @param file of a wallet that nobody writes
   * @param statements what to change
   */
  public static void sql(Path file, String... statements) throws Exception {
    change(
        file,
        db -> {
          for (String sql : statements) {
            db.execute(sql);
          }
        });
  }

  /**
   * Changes the content of all rows of a table past the wallet.
   *
   * @param file of a wallet that nobody writes
   * @param table which
   * @param changed makes the content of a row
   */
  public static void rows(Path file, String table, UnaryOperator<byte[]> changed) throws Exception {
    change(
        file,
        db -> {
          for (Map.Entry<Long, byte[]> row : rows(db, table).entrySet()) {
            byte[] data = changed.apply(row.getValue());
            db.insert(
                "INSERT OR REPLACE INTO " + table + " VALUES (?, ?, ?)", row.getKey(), 0, data);
          }
        });
  }

  private static Map<Long, byte[]> rows(Database db, String table) throws SQLException {
    Map<Long, byte[]> rows = new HashMap<>();
    try (Database.Answer answer = db.ask("SELECT id, data FROM " + table)) {
      while (answer.rows().next()) {
        rows.put(answer.rows().getLong(1), answer.rows().getBytes(2));
      }
    }
    return rows;
  }

  private static void change(Path file, Work work) throws Exception {
    try (Database db = Database.open(JdbcEngine.INSTANCE, file, SqlEngine.Access.WRITE)) {
      work.run(db);
      Tables tables = new Tables(db);
      tables.write(
          () -> {
            for (String name : Schema.TABLES) {
              Map<Long, byte[]> rows = rows(db, name);
              tables.of(name).deleteAll();
              for (Map.Entry<Long, byte[]> row : rows.entrySet()) {
                tables.of(name).put(row.getKey(), row.getValue());
              }
            }
          });
    }
  }
}
