package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.discovery.KnownAddress;
import org.murmur.wallet.store.sql.SqlStatement;

/** The table of known addresses on disk, a row for each; made when there is the first. */
final class AddressRows {

  private final Database db;

  AddressRows(Database db) {
    this.db = db;
  }

  static KnownAddress known(Row row) {
    return new KnownAddress(
        new Endpoint(row.small(0), Bytes.wrap(row.bytes(1)), row.small(2)),
        row.number(3),
        row.flag(4),
        row.number(5),
        new NetGroup(row.text(6)),
        row.flag(7),
        row.number(8),
        row.number(9),
        row.small(10),
        row.number(11),
        row.number(12),
        row.text(13));
  }

  void write(AddressChanges changes) throws SQLException {
    if (changes.isEmpty()) {
      return;
    }
    for (Endpoint endpoint : changes.gone()) {
      touch(endpoint);
    }
    for (KnownAddress known : changes.kept()) {
      touch(known.endpoint());
    }
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

  private void touch(Endpoint endpoint) throws SQLException {
    db.touch("address", endpoint.network(), endpoint.address().toArray(), endpoint.port());
  }

  private static void bind(Endpoint endpoint, SqlStatement s) throws SQLException {
    s.setInt(1, endpoint.network());
    s.setBytes(2, endpoint.address().toArray());
    s.setInt(3, endpoint.port());
  }
}
