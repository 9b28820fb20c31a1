package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.CommitBatch.PeerFacts;

/** Facts about peers that were connected to. */
final class PeerRows {

  private final Database db;

  PeerRows(Database db) {
    this.db = db;
  }

  List<PeerFacts> read(RowChecksums sums) throws SQLException {
    List<PeerFacts> peers = new ArrayList<>(sums.rows("peer", PeerRows::facts));
    peers.sort(
        Comparator.comparingLong(PeerFacts::lastSeen)
            .reversed()
            .thenComparing(peer -> peer.address().host())
            .thenComparingInt(peer -> peer.address().port()));
    return peers;
  }

  private static PeerFacts facts(Row row) {
    return new PeerFacts(
        new NodeAddress(row.text(0), row.small(1)),
        row.number(2),
        row.text(3),
        row.small(4),
        row.number(5),
        row.number(6),
        row.flag(7),
        row.text(8));
  }

  void put(List<PeerFacts> peers) throws SQLException {
    for (PeerFacts peer : peers) {
      db.touch("peer", peer.address().host(), peer.address().port());
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
