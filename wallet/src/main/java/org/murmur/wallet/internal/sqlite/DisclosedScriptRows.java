package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.internal.store.DisclosedScripts;

/** Scripts that peers were sent outside every filter. Rows are added and grow; none ever goes. */
final class DisclosedScriptRows {

  private final Database db;
  private final RowChecksums sums;

  DisclosedScriptRows(Database db, RowChecksums sums) {
    this.db = db;
    this.sums = sums;
  }

  static DisclosedScripts disclosed(Row row) {
    return new DisclosedScripts(
        new NodeAddress(row.text(1), row.small(2)),
        row.isNull(3) ? null : Hash256.ofInternal(row.bytes(3)),
        BitSet.valueOf(row.bytes(4)),
        row.number(5));
  }

  /** Once in a transaction: rows have their checksums only when it is done. */
  void put(List<DisclosedScripts> disclosed) throws SQLException {
    if (disclosed.isEmpty()) {
      return;
    }
    Map<Long, DisclosedScripts> rows = new LinkedHashMap<>();
    long next = 1;
    for (Row row : sums.rows("told", row -> row)) {
      rows.put(row.number(0), disclosed(row));
      next = Math.max(next, row.number(0) + 1);
    }
    for (DisclosedScripts news : disclosed) {
      long id = next;
      for (Map.Entry<Long, DisclosedScripts> row : rows.entrySet()) {
        id = row.getValue().isSameAs(news) ? row.getKey() : id;
      }
      next = Math.max(next, id + 1);
      DisclosedScripts before = rows.get(id);
      DisclosedScripts after = before == null ? news : before.with(news);
      if (!after.equals(before)) {
        rows.put(id, after);
        write(id, after);
      }
    }
  }

  private void write(long id, DisclosedScripts row) throws SQLException {
    db.changeEach(
        "INSERT INTO told VALUES (?, ?, ?, ?, ?, ?)"
            + " ON CONFLICT (id) DO UPDATE SET scripts = excluded.scripts",
        List.of(row),
        (disclosed, s) -> {
          Hash256 sent = disclosed.sent();
          s.setLong(1, id);
          s.setString(2, disclosed.peer().host());
          s.setInt(3, disclosed.peer().port());
          s.setBytes(4, sent == null ? null : sent.toInternal());
          s.setBytes(5, disclosed.scripts().toByteArray());
          s.setLong(6, disclosed.time());
        });
  }
}
