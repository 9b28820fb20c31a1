package org.murmur.wallet.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.AddressChanges;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.KnownAddress;
import org.murmur.p2p.discovery.NetGroup;

/** The table of known addresses on disk, a row for each; made when there is the first. */
final class AddressRows {

  private final Database db;

  AddressRows(Database db) {
    this.db = db;
  }

  List<KnownAddress> read() throws SQLException {
    if (!db.hasTable("address")) {
      return List.of();
    }
    return db.all(
        "SELECT network, address, port, services, first_hand, last_seen, source, proven,"
            + " last_try, last_success, failures, latency_ms, banned_until, banned_for"
            + " FROM address",
        r ->
            new KnownAddress(
                new Endpoint(r.getInt(1), Bytes.wrap(Columns.bytes(r, 2)), r.getInt(3)),
                r.getLong(4),
                r.getBoolean(5),
                r.getLong(6),
                new NetGroup(Columns.text(r, 7)),
                r.getBoolean(8),
                r.getLong(9),
                r.getLong(10),
                r.getInt(11),
                r.getLong(12),
                r.getLong(13),
                Columns.text(r, 14)));
  }

  void write(AddressChanges changes) throws SQLException {
    if (changes.isEmpty()) {
      return;
    }
    db.execute(Schema.ADDRESSES);
    db.touch("address");
    db.changeEach(
        "DELETE FROM address WHERE network = ? AND address = ? AND port = ?",
        changes.gone(),
        AddressRows::bind);
    db.changeEach(
        "INSERT OR REPLACE INTO address VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        changes.kept(),
        (known, s) -> {
          bind(known.endpoint(), s);
          s.setLong(4, known.services());
          s.setBoolean(5, known.firstHand());
          s.setLong(6, known.lastSeen());
          s.setString(7, known.source().name());
          s.setBoolean(8, known.proven());
          s.setLong(9, known.lastTry());
          s.setLong(10, known.lastSuccess());
          s.setInt(11, known.failures());
          s.setLong(12, known.latencyMillis());
          s.setLong(13, known.bannedUntil());
          s.setString(14, known.bannedFor());
        });
  }

  private static void bind(Endpoint endpoint, PreparedStatement s) throws SQLException {
    s.setInt(1, endpoint.network());
    s.setBytes(2, endpoint.address().toArray());
    s.setInt(3, endpoint.port());
  }
}
