package org.murmur.wallet.store.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.store.LoggedOutPoint;
import org.murmur.wallet.store.ScriptRun;
import org.murmur.wallet.store.sqlite.packed.StoredFacts;

/** Turns a wallet's file into one of the third format, as its program wrote it. */
final class OldFile {

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE scripts (first INTEGER PRIMARY KEY,"
              + " chain INTEGER NOT NULL REFERENCES chain (id), child INTEGER NOT NULL,"
              + " count INTEGER NOT NULL, elements BLOB NOT NULL, scripts BLOB NOT NULL,"
              + " addresses TEXT NOT NULL)",
          "CREATE TABLE outpoint (idx INTEGER PRIMARY KEY, txid BLOB NOT NULL,"
              + " vout INTEGER NOT NULL, script INTEGER, birth INTEGER NOT NULL, end INTEGER)",
          "CREATE TABLE tx (txid BLOB PRIMARY KEY, raw BLOB NOT NULL, seen INTEGER NOT NULL,"
              + " first_seen INTEGER NOT NULL, since INTEGER, height INTEGER, block BLOB,"
              + " position INTEGER, time INTEGER, missing INTEGER NOT NULL)",
          "CREATE TABLE proof (txid BLOB PRIMARY KEY REFERENCES tx (txid),"
              + " height INTEGER NOT NULL, merkleblock BLOB NOT NULL)");

  private static final List<String> NEW =
      List.of("script", "outpoints", "block", "unconfirmed", "txid", "row_sum");

  private OldFile() {}

  /** Nobody may have the file open. */
  static void become(Path file) throws Exception {
    List<ScriptRun> scripts;
    List<Fact> facts;
    List<LoggedOutPoint> outPoints;
    Map<Hash256, MerkleBlock> proofs = new HashMap<>();
    try (SqliteStore store = SqliteStore.open(file)) {
      scripts = store.scripts(true);
      facts = store.facts();
      outPoints = store.outPoints().logged();
      for (Fact fact : facts) {
        MerkleBlock proof = store.proof(fact.tx().txid());
        if (proof != null) {
          proofs.put(fact.tx().txid(), proof);
        }
      }
    }
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement s = db.createStatement()) {
      s.execute("BEGIN");
      for (String table : NEW) {
        s.execute("DROP TABLE " + table);
      }
      for (String table : TABLES) {
        s.execute(table);
      }
      for (ScriptRun run : scripts) {
        insert(
            db,
            "scripts",
            run.first(),
            run.chain(),
            run.child(),
            run.count(),
            packed(run.elements()),
            packed(run.scripts()),
            String.join("\n", run.addresses()));
      }
      for (LoggedOutPoint logged : outPoints) {
        insert(
            db,
            "outpoint",
            logged.index(),
            logged.outPoint().txid().toInternal(),
            Integer.toUnsignedLong(logged.outPoint().index()),
            logged.script() < 0 ? null : logged.script(),
            logged.birth(),
            logged.end() == Integer.MAX_VALUE ? null : logged.end());
      }
      for (Fact fact : facts) {
        insert(db, fact, proofs.get(fact.tx().txid()));
      }
      s.execute("PRAGMA user_version = 3");
      s.execute("COMMIT");
    }
  }

  private static void insert(Connection db, Fact fact, @Nullable MerkleBlock proof)
      throws SQLException {
    Confirmation where = fact.confirmation();
    byte[] txid = fact.tx().txid().toInternal();
    insert(
        db,
        "tx",
        txid,
        fact.tx().raw().toArray(),
        fact.seen(),
        fact.firstSeen(),
        fact.pendingSince() == Fact.NEVER_PENDING ? null : fact.pendingSince(),
        where == null ? null : where.height(),
        where == null ? null : where.block().toInternal(),
        where == null ? null : where.position(),
        where == null ? null : where.time(),
        StoredFacts.code(fact));
    if (proof != null) {
      insert(db, "proof", txid, fact.height(), proof.toPayload().toArray());
    }
  }

  private static void insert(Connection db, String table, @Nullable Object... values)
      throws SQLException {
    String marks = ", ?".repeat(values.length).substring(2);
    try (PreparedStatement s =
        db.prepareStatement("INSERT INTO " + table + " VALUES (" + marks + ")")) {
      for (int i = 0; i < values.length; i++) {
        s.setObject(i + 1, values[i]);
      }
      s.executeUpdate();
    }
  }

  private static byte[] packed(List<Bytes> strings) {
    ByteWriter out = new ByteWriter(64);
    strings.forEach(out::varBytes);
    return out.toArray();
  }
}
