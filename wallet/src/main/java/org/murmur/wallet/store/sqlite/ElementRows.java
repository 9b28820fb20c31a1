package org.murmur.wallet.store.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.wallet.store.LoggedOutPoint;
import org.murmur.wallet.store.ScriptRun;

/** The element log: runs of scripts, packed, and outpoints, a row for each. */
final class ElementRows {

  /** In place of NULL, for an outpoint that belongs to no script of the log. */
  private static final int NO_SCRIPT = -1;

  /** In place of NULL, for an outpoint without an end. */
  private static final int NO_END = Integer.MAX_VALUE;

  private final Database db;

  ElementRows(Database db) {
    this.db = db;
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
              unpack(Columns.bytes(r, 5), count),
              whole ? unpack(Columns.bytes(r, 6), count) : List.of(),
              whole ? Arrays.asList(Columns.text(r, 7).split("\n")) : List.of());
        });
  }

  void insertScripts(List<ScriptRun> runs) throws SQLException {
    db.changeEach(
        "INSERT INTO scripts VALUES (?, ?, ?, ?, ?, ?, ?)",
        runs,
        (run, s) -> {
          s.setInt(1, run.first());
          s.setInt(2, run.chain());
          s.setInt(3, run.child());
          s.setInt(4, run.count());
          s.setBytes(5, pack(run.elements()));
          s.setBytes(6, pack(run.scripts()));
          s.setString(7, String.join("\n", run.addresses()));
        });
  }

  static LoggedOutPoint outPoint(Row row) {
    return new LoggedOutPoint(
        row.small(0),
        new OutPoint(Hash256.ofInternal(row.bytes(1)), row.small(2)),
        row.isNull(3) ? NO_SCRIPT : row.small(3),
        row.small(4),
        row.isNull(5) ? NO_END : row.small(5));
  }

  void putOutPoints(List<LoggedOutPoint> outPoints) throws SQLException {
    db.changeEach(
        "INSERT INTO outpoint VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (idx) DO UPDATE SET"
            + " script = excluded.script, birth = excluded.birth, end = excluded.end",
        outPoints,
        (outPoint, s) -> {
          s.setInt(1, outPoint.index());
          s.setBytes(2, outPoint.outPoint().txid().toInternal());
          s.setLong(3, Integer.toUnsignedLong(outPoint.outPoint().index()));
          s.setObject(4, outPoint.script() <= NO_SCRIPT ? null : outPoint.script());
          s.setInt(5, outPoint.birth());
          s.setObject(6, outPoint.end() == NO_END ? null : outPoint.end());
        });
  }

  /** Byte strings one after another: length CompactSize | bytes | length CompactSize | bytes | … */
  private static byte[] pack(List<Bytes> strings) {
    ByteWriter out = new ByteWriter(34 * strings.size());
    strings.forEach(out::varBytes);
    return out.toArray();
  }

  private static List<Bytes> unpack(byte[] blob, int count) {
    // Each takes a byte at least: no count is believed beyond that.
    if (count < 0 || count > blob.length) {
      throw new MalformedException(count + " byte strings cannot be in so few bytes", blob.length);
    }
    ByteReader in = new ByteReader(blob);
    List<Bytes> strings = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      strings.add(in.varBytes());
    }
    in.expectEnd();
    return strings;
  }
}
