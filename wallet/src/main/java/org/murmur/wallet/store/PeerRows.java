package org.murmur.wallet.store;

import java.sql.SQLException;
import java.util.List;
import org.murmur.p2p.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.sync.PeerAddress;

/** What is known of peers that were connected to. */
final class PeerRows {

  private final Database db;

  PeerRows(Database db) {
    this.db = db;
  }

  List<PeerFacts> read() throws SQLException {
    return db.all(
        "SELECT host, port, services, user_agent, start_height, latency_ms,"
            + " last_seen, mempool_at_once, misbehaviour FROM peer"
            + " ORDER BY last_seen DESC, host, port",
        r ->
            new PeerFacts(
                new PeerAddress(Columns.text(r, 1), r.getInt(2)),
                r.getLong(3),
                Columns.text(r, 4),
                r.getInt(5),
                r.getLong(6),
                r.getLong(7),
                r.getBoolean(8),
                Columns.text(r, 9)));
  }

  void put(List<PeerFacts> peers) throws SQLException {
    if (!peers.isEmpty()) {
      db.touch("peer");
    }
    db.changeEach(
        "INSERT OR REPLACE INTO peer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        peers,
        (peer, s) -> {
          s.setString(1, peer.address().host());
          s.setInt(2, peer.address().port());
          s.setLong(3, peer.services());
          s.setString(4, peer.userAgent());
          s.setInt(5, peer.startHeight());
          s.setLong(6, peer.latencyMillis());
          s.setLong(7, peer.lastSeen());
          s.setBoolean(8, peer.mempoolAtOnce());
          s.setString(9, peer.misbehaviour());
        });
  }
}
