package org.murmur.wallet.store.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.store.LoggedOutPoint;
import org.murmur.wallet.store.MemoryStore;
import org.murmur.wallet.store.ScriptRun;
import org.murmur.wallet.store.StoreChange;
import org.murmur.wallet.store.StoredProof;
import org.murmur.wallet.store.StoredWallet;
import org.murmur.wallet.store.sqlite.packed.StoredFacts;

/**
 * Transactions, proofs, outpoints and scripts as the formats 1 to 5 keep them: a row for each
 * transaction, proof and outpoint. They are read as they are, and moved by the next transaction.
 */
final class OldTables {

  /** Transactions that are moved at once, with their proofs, which are large. */
  private static final int AT_ONCE = 1_000;

  private static final List<String> NAMES = List.of("proof", "tx", "outpoint", "scripts");

  private final Database db;
  private final RowChecksums sums;

  OldTables(Database db, RowChecksums sums) {
    this.db = db;
    this.sums = sums;
  }

  /** Whether the file has these tables, and not the present ones. */
  boolean areThere() throws SQLException {
    return db.hasTable("tx");
  }

  List<Fact> facts() throws SQLException {
    return sums.rows("tx", OldTables::fact);
  }

  private static Fact fact(Row row) {
    Confirmation confirmation =
        row.isNull(6)
            ? null
            : new Confirmation(
                row.small(5), Hash256.ofInternal(row.bytes(6)), row.small(7), row.number(8));
    Fact fact =
        StoredFacts.fact(
            row.small(9),
            row.number(2),
            row.number(3),
            row.isNull(4) ? Fact.NEVER_PENDING : row.small(4),
            confirmation,
            Bytes.wrap(row.bytes(1)));
    if (!fact.tx().txid().equals(Hash256.ofInternal(row.bytes(0)))) {
      throw new IllegalArgumentException("a transaction that is not what its txid says");
    }
    return fact;
  }

  List<LoggedOutPoint> outPoints() throws SQLException {
    return outPoints(facts());
  }

  private List<LoggedOutPoint> outPoints(List<Fact> facts) throws SQLException {
    Set<Hash256> mined = new HashSet<>();
    for (Fact fact : facts) {
      if (fact.confirmation() != null) {
        mined.add(fact.tx().txid());
      }
    }
    return sums.rows("outpoint", row -> outPoint(row, mined));
  }

  private static LoggedOutPoint outPoint(Row row, Set<Hash256> mined) {
    Hash256 txid = Hash256.ofInternal(row.bytes(1));
    int script = row.isNull(3) ? -1 : row.small(3);
    return new LoggedOutPoint(
        row.small(0),
        new OutPoint(txid, row.small(2)),
        script,
        row.small(4),
        row.isNull(5) ? Integer.MAX_VALUE : row.small(5),
        script >= 0 && mined.contains(txid));
  }

  List<ScriptRun> scripts(boolean whole) throws SQLException {
    return db.all(
        "SELECT first, chain, child, count, elements"
            + (whole ? ", scripts, addresses" : "")
            + " FROM scripts ORDER BY first",
        r -> {
          int count = r.getInt(4);
          return new ScriptRun(
              r.getInt(1),
              r.getInt(2),
              r.getInt(3),
              ElementRows.unpack(Database.bytes(r, 5), count),
              whole ? ElementRows.unpack(Database.bytes(r, 6), count) : List.of(),
              whole ? Arrays.asList(Database.text(r, 7).split("\n")) : List.of());
        });
  }

  @Nullable MerkleBlock proof(Hash256 txid) throws SQLException {
    return sums.row(
        "proof",
        "txid",
        row -> MerkleBlock.parse(Bytes.wrap(row.bytes(2))),
        (Object) txid.toInternal());
  }

  /** All of it in memory, for what these tables cannot be asked. */
  MemoryStore inMemory(StoredWallet wallet) throws SQLException {
    MemoryStore store = new MemoryStore(wallet, List.of());
    List<Fact> facts = facts();
    store.write(
        StoreChange.above(wallet.baseHeight()).facts(facts).outPoints(outPoints(facts)).build());
    return store;
  }

  /** Moves everything into the present tables, in the transaction that has begun. */
  void moveTo(ElementRows elements, TxRows txs) throws SQLException {
    sums.check(List.of("scripts", "proof"));
    sums.checkIndex("proof");
    for (String table : Schema.PACKED) {
      db.execute(table);
    }
    elements.insertScripts(scripts(true));
    List<Fact> facts = facts();
    facts.sort(Comparator.comparingInt(Fact::height));
    for (int from = 0; from < facts.size(); from += AT_ONCE) {
      List<Fact> some = facts.subList(from, Math.min(from + AT_ONCE, facts.size()));
      txs.apply(some, List.of(), proofs(some));
    }
    Map<Hash256, Fact> byTxid = new HashMap<>();
    facts.forEach(fact -> byTxid.put(fact.tx().txid(), fact));
    elements.putOutPoints(outPoints(facts), byTxid);
    for (String table : NAMES) {
      if (db.hasTable(RowChecksums.TABLE)) {
        db.change("DELETE FROM row_sum WHERE name = ?", table);
      }
      db.execute("DROP TABLE " + table);
    }
  }

  private List<StoredProof> proofs(List<Fact> facts) throws SQLException {
    List<StoredProof> proofs = new ArrayList<>();
    for (Fact fact : facts) {
      MerkleBlock proof = fact.confirmation() == null ? null : proof(fact.tx().txid());
      if (proof != null) {
        proofs.add(new StoredProof(fact.tx().txid(), fact.height(), proof));
      }
    }
    return proofs;
  }
}
