package org.murmur.wallet.store.sqlite;

import java.sql.SQLException;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.ledger.Confirmation;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.ledger.Repute;
import org.murmur.wallet.store.StoredProof;

/** Transactions, and the proofs of those that are confirmed. */
final class TxRows {

  /** What the column {@code missing} counts: the first two are its old no and yes. */
  private static final List<Repute> REPUTES =
      List.of(Repute.HEARD, Repute.DENIED, Repute.SENT, Repute.ABANDONED);

  private final Database db;

  TxRows(Database db) {
    this.db = db;
  }

  static Fact fact(Row row) {
    Tx tx = Tx.parse(Bytes.wrap(row.bytes(1)));
    if (!tx.txid().equals(Hash256.ofInternal(row.bytes(0)))) {
      throw new IllegalArgumentException("a transaction that is not what its txid says");
    }
    if (!tx.hasValuesInRange()) {
      throw new IllegalArgumentException(
          "transaction " + tx.txid() + " pays values that no valid block can hold");
    }
    Confirmation confirmation =
        row.isNull(6)
            ? null
            : new Confirmation(
                row.small(5), Hash256.ofInternal(row.bytes(6)), row.small(7), row.number(8));
    return new Fact(
        tx,
        row.number(2),
        row.number(3),
        row.isNull(4) ? Fact.NEVER_PENDING : row.small(4),
        repute(row.small(9)),
        confirmation);
  }

  private static Repute repute(int code) {
    if (code < 0 || code >= REPUTES.size()) {
      throw new IllegalArgumentException("a transaction of unknown repute, " + code);
    }
    return REPUTES.get(code);
  }

  void put(List<Fact> facts) throws SQLException {
    db.changeEach(
        "INSERT INTO tx VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (txid) DO UPDATE SET"
            + " raw = excluded.raw, seen = excluded.seen, since = excluded.since,"
            + " height = excluded.height, block = excluded.block,"
            + " position = excluded.position, time = excluded.time,"
            + " missing = excluded.missing",
        facts,
        (fact, s) -> {
          Confirmation where = fact.confirmation();
          s.setBytes(1, fact.tx().txid().toInternal());
          s.setBytes(2, fact.tx().raw().unsafeArray());
          s.setLong(3, fact.seen());
          s.setLong(4, fact.firstSeen());
          s.setObject(5, fact.pendingSince() == Fact.NEVER_PENDING ? null : fact.pendingSince());
          s.setObject(6, where == null ? null : where.height());
          s.setObject(7, where == null ? null : where.block().toInternal());
          s.setObject(8, where == null ? null : where.position());
          s.setObject(9, where == null ? null : where.time());
          s.setInt(10, REPUTES.indexOf(fact.repute()));
        });
  }

  /** Deletes transactions that no block holds, so that there is no proof of them. */
  void delete(List<Hash256> txids) throws SQLException {
    db.changeEach(
        "DELETE FROM tx WHERE txid = ?", txids, (txid, s) -> s.setBytes(1, txid.toInternal()));
  }

  static MerkleBlock proof(Row row) {
    return MerkleBlock.parse(Bytes.wrap(row.bytes(2)));
  }

  void putProofs(List<StoredProof> proofs) throws SQLException {
    db.changeEach(
        "INSERT INTO proof VALUES (?, ?, ?) ON CONFLICT (txid) DO UPDATE SET"
            + " height = excluded.height, merkleblock = excluded.merkleblock",
        proofs,
        (proof, s) -> {
          s.setBytes(1, proof.txid().toInternal());
          s.setInt(2, proof.height());
          s.setBytes(3, proof.block().toPayload().unsafeArray());
        });
  }

  void deleteProofsAbove(int height) throws SQLException {
    db.change("DELETE FROM proof WHERE height > ?", height);
  }

  void deleteProofs() throws SQLException {
    db.execute("DELETE FROM proof WHERE true");
  }
}
