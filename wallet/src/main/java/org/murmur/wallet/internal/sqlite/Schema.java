package org.murmur.wallet.internal.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.murmur.wallet.failure.WalletException;

/** The tables of a wallet's file, and what it must say of itself. */
final class Schema {

  /** Marks a SQLite file as a wallet of this program: "Murm". */
  static final int APPLICATION_ID = 0x4d75726d;

  /**
   * Grows when another version of the program could not read the file, or would leave it in a state
   * that this one takes for damage. Formats before the eleventh were never released.
   */
  static final int FORMAT = 11;

  /** The seals of all other tables, by their places in {@link #TABLES}. */
  static final String SEAL = "seal";

  /**
   * All other tables. Each is packed rows by number ({@link Table}); a hash stands for a key that
   * is none, so no table needs an index, which would have no checksums. The class that writes the
   * rows of a table says what is in them.
   *
   * <p>What grows with the wallet is many things in a row: fifty thousand rows cost more time to
   * read than their content, and more room.
   */
  static final List<String> TABLES =
      List.of(
          "meta",
          "created",
          "birthday_height",
          "preset",
          "filter_key",
          "chain",
          "headers",
          "script",
          "outpoints",
          "block",
          "unconfirmed",
          "txid",
          "label",
          "given",
          "load",
          "filter",
          "scan_row",
          "told",
          "peer",
          "address",
          "session",
          "view",
          "fetch");

  private Schema() {}

  static void create(Database db) throws SQLException {
    createTable(db, SEAL);
    for (String table : TABLES) {
      createTable(db, table);
    }
  }

  /** The checksum stands before the content, so that SQLite reads it without the content. */
  private static void createTable(Database db, String name) throws SQLException {
    db.execute(
        "CREATE TABLE "
            + name
            + " (id INTEGER PRIMARY KEY, sum INTEGER NOT NULL, data BLOB NOT NULL)");
  }

  /**
   * Checks that a database is a wallet. SQLite reads its identity: a file that SQLite has open must
   * not be opened past it, because closing it would drop SQLite's locks.
   */
  static void check(Path file, Database db) throws SQLException {
    if (db.number("PRAGMA application_id") != APPLICATION_ID) {
      throw WalletException.about(
          file,
          WalletException.Kind.CORRUPT,
          (file.toFile().length() == 0
              ? " is empty"
              : " is no wallet: a database of another program"));
    }
    long format = db.number("PRAGMA user_version");
    if (format > FORMAT) {
      throw WalletException.about(
          file,
          WalletException.Kind.NEWER_FORMAT,
          " has format " + format + ", this program knows " + FORMAT + ": take a newer one");
    }
    String names = SEAL + "', '" + String.join("', '", TABLES);
    String count = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('";
    if (db.number(count + names + "')") <= TABLES.size()) {
      throw WalletException.about(
          file,
          WalletException.Kind.CORRUPT,
          (format < FORMAT
              ? " is of a version before the first release: restore the wallet from its words"
              : " is damaged: it lacks tables"));
    }
  }
}
