package org.murmur.wallet.internal.sqlite;

import java.nio.file.Path;
import java.util.List;
import org.murmur.wallet.failure.WalletException;

/** The tables of a wallet's file, and what it must say of itself. */
final class Schema {

  /** Marks a SQLite file as a wallet of this program: "Murm". */
  static final int APPLICATION_ID = 0x4d75726d;

  /**
   * Grows when another version of the program could not read the file, or would leave it in a state
   * that this one takes for damage. Formats before the eighth were never released.
   */
  static final int FORMAT = 8;

  /** Of the block that headers begin with, if it is not genesis: keys of the table meta. */
  static final String BASE_HEIGHT = "base_height";

  static final String BASE_HASH = "base_hash";
  static final String BASE_PREVIOUS = "base_previous";
  static final String BASE_TIME = "base_time";
  static final String BASE_BITS = "base_bits";
  static final String BASE_WORK = "base_work";

  /**
   * All tables. Headers stand in runs of 80 bytes each: whole difficulty periods (2,016) are
   * sealed, the rest is a tail of shorter runs.
   *
   * <p>Tables that grow with the wallet are packed: fifty thousand rows cost more time to read than
   * their content, and more room. Scripts of the element log stand in runs, of which only what does
   * not follow is stored ({@link ElementRows}); its outpoints in runs ({@link OutPointRun});
   * transactions by block ({@link PackedBlock}), and where each is, by its txid ({@link TxPlaces});
   * labels and frozen coins by a hash of their reference ({@link LabelBucket}).
   */
  static final List<String> TABLES =
      List.of(
          // Checksums of rows, by table and row id; a hash of the key where there are no row ids.
          "CREATE TABLE row_sum (name TEXT NOT NULL, row INTEGER NOT NULL,"
              + " sum INTEGER NOT NULL, PRIMARY KEY (name, row)) WITHOUT ROWID",
          "CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID",
          "CREATE TABLE chain (id INTEGER PRIMARY KEY, descriptor TEXT NOT NULL,"
              + " change INTEGER NOT NULL, ranged INTEGER NOT NULL,"
              + " handed_out INTEGER NOT NULL)",
          "CREATE TABLE headers (first INTEGER PRIMARY KEY, count INTEGER NOT NULL,"
              + " data BLOB NOT NULL)",
          "CREATE TABLE script (first INTEGER PRIMARY KEY,"
              + " chain INTEGER NOT NULL REFERENCES chain (id), child INTEGER NOT NULL,"
              + " count INTEGER NOT NULL, elements BLOB NOT NULL, opening BLOB, closing BLOB,"
              + " scripts BLOB, network TEXT, addresses TEXT)",
          "CREATE TABLE outpoints (run INTEGER PRIMARY KEY, data BLOB NOT NULL)",
          "CREATE TABLE block (height INTEGER PRIMARY KEY, hash BLOB NOT NULL,"
              + " time INTEGER NOT NULL, data BLOB NOT NULL)",
          "CREATE TABLE unconfirmed (id INTEGER PRIMARY KEY, raw BLOB NOT NULL,"
              + " seen INTEGER NOT NULL, first_seen INTEGER NOT NULL, since INTEGER,"
              + " missing INTEGER NOT NULL)",
          "CREATE TABLE txid (first INTEGER PRIMARY KEY, data BLOB NOT NULL)",
          "CREATE TABLE label (id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
          // Payments that the wallet gave out, as PSBTs or to be sent, without witness data.
          "CREATE TABLE given (id INTEGER PRIMARY KEY, raw BLOB NOT NULL)",
          "CREATE TABLE filter (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE,"
              + " filterload BLOB NOT NULL)",
          // Members of filters that hold no prefix of the log: a bit for each element, the
          // lowest of the first byte for the log's first.
          "CREATE TABLE epoch (filter INTEGER PRIMARY KEY REFERENCES filter (id),"
              + " role TEXT NOT NULL, number INTEGER NOT NULL, members BLOB NOT NULL)",
          "CREATE TABLE load (id INTEGER PRIMARY KEY, host TEXT NOT NULL, port INTEGER NOT NULL,"
              + " elements INTEGER NOT NULL, filter INTEGER NOT NULL REFERENCES filter (id),"
              + " time INTEGER NOT NULL)",
          // How filters began, how often each was sent, and whether a view relies on what its
          // server added.
          "CREATE TABLE showing (load INTEGER PRIMARY KEY, elements INTEGER NOT NULL,"
              + " bits_set INTEGER NOT NULL, first INTEGER NOT NULL, times INTEGER NOT NULL,"
              + " outpoints INTEGER NOT NULL, server_bits INTEGER NOT NULL, adds INTEGER NOT NULL)",
          "CREATE TABLE scan_row (id INTEGER PRIMARY KEY,"
              + " load INTEGER NOT NULL REFERENCES load (id), elements INTEGER NOT NULL,"
              + " low INTEGER NOT NULL, high INTEGER NOT NULL, time INTEGER NOT NULL)",
          // Own scripts that peers were sent outside every filter: bits as in the table epoch.
          "CREATE TABLE told (id INTEGER PRIMARY KEY, host TEXT NOT NULL,"
              + " port INTEGER NOT NULL, txid BLOB, scripts BLOB NOT NULL, time INTEGER NOT NULL)",
          "CREATE TABLE peer (host TEXT NOT NULL, port INTEGER NOT NULL,"
              + " services INTEGER NOT NULL, user_agent TEXT NOT NULL,"
              + " start_height INTEGER NOT NULL, latency_ms INTEGER NOT NULL,"
              + " last_seen INTEGER NOT NULL, mempool_at_once INTEGER NOT NULL,"
              + " misbehaviour TEXT NOT NULL, PRIMARY KEY (host, port)) WITHOUT ROWID",
          // Addresses where peers may be.
          "CREATE TABLE address (network INTEGER NOT NULL, address BLOB NOT NULL,"
              + " port INTEGER NOT NULL, services INTEGER NOT NULL, first_hand INTEGER NOT NULL,"
              + " last_seen INTEGER NOT NULL, source TEXT NOT NULL, proven INTEGER NOT NULL,"
              + " last_try INTEGER NOT NULL, last_success INTEGER NOT NULL,"
              + " failures INTEGER NOT NULL, latency_ms INTEGER NOT NULL,"
              + " banned_until INTEGER NOT NULL, banned_for TEXT NOT NULL,"
              + " PRIMARY KEY (network, address, port)) WITHOUT ROWID",
          // The cost of syncs, and their bytes by cause.
          "CREATE TABLE session (id INTEGER PRIMARY KEY, began INTEGER NOT NULL,"
              + " millis INTEGER NOT NULL, headers INTEGER NOT NULL, blocks INTEGER NOT NULL,"
              + " received INTEGER NOT NULL, sent INTEGER NOT NULL)",
          "CREATE TABLE traffic (id INTEGER PRIMARY KEY, session INTEGER NOT NULL,"
              + " cause TEXT NOT NULL, received INTEGER NOT NULL, sent INTEGER NOT NULL)");

  private Schema() {}

  /**
   * Checks that a database is a wallet. SQLite reads its identity: a file that SQLite has open must
   * not be opened past it, because closing it would drop SQLite's locks.
   */
  static void check(Path file, long applicationId, long format, long tables) {
    if (applicationId != APPLICATION_ID) {
      throw WalletException.about(
          file,
          WalletException.Kind.CORRUPT,
          (file.toFile().length() == 0
              ? " is empty"
              : " is no wallet: a database of another program"));
    }
    if (format > FORMAT) {
      throw WalletException.about(
          file,
          WalletException.Kind.NEWER_FORMAT,
          " has format " + format + ", this program knows " + FORMAT + ": take a newer one");
    }
    if (tables < TABLES.size()) {
      throw WalletException.about(
          file,
          WalletException.Kind.CORRUPT,
          (format < FORMAT
              ? " is of a version before the first release: restore the wallet from its words"
              : " is damaged: it lacks tables"));
    }
  }
}
