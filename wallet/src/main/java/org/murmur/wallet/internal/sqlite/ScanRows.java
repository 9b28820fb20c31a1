package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.ScanRow;

/** Which blocks were scanned under which load. */
final class ScanRows {

  private final Database db;

  ScanRows(Database db) {
    this.db = db;
  }

  List<ScanRow> read() throws SQLException {
    return db.all(
        "SELECT id, load, elements, low, high, time FROM scan_row ORDER BY id",
        r ->
            new ScanRow(
                r.getLong(1), r.getLong(2), r.getInt(3), r.getInt(4), r.getInt(5), r.getLong(6)));
  }

  void put(List<ScanRow> rows) throws SQLException {
    db.changeEach(
        "INSERT OR REPLACE INTO scan_row VALUES (?, ?, ?, ?, ?, ?)",
        rows,
        (row, s) -> {
          s.setLong(1, row.id());
          s.setLong(2, row.view());
          s.setInt(3, row.elements());
          s.setInt(4, row.from());
          s.setInt(5, row.to());
          s.setLong(6, row.time());
        });
  }

  void cutAbove(int height) throws SQLException {
    db.change("DELETE FROM scan_row WHERE low > ?", height);
    db.change("UPDATE scan_row SET high = ?1 WHERE high > ?1", height);
  }

  void deleteOf(List<NodeAddress> peers) throws SQLException {
    db.changeEach(
        "DELETE FROM scan_row WHERE load IN (SELECT id FROM load WHERE host = ? AND port = ?)",
        peers,
        (peer, s) -> {
          s.setString(1, peer.host());
          s.setInt(2, peer.port());
        });
  }

  void delete(Set<Long> ids) throws SQLException {
    db.changeEach("DELETE FROM scan_row WHERE id = ?", ids, (id, s) -> s.setLong(1, id));
  }

  void deleteAll() throws SQLException {
    db.execute("DELETE FROM scan_row WHERE true");
  }
}
