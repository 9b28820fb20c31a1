package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.CommitBatch.PeerFacts;

/** Facts about peers that were connected to. */
final class PeerRows {

  private final Table table;

  PeerRows(Tables tables) {
    table = tables.of("peer");
  }

  List<PeerFacts> read() throws SQLException {
    List<PeerFacts> peers = table.all(PeerRows::facts);
    peers.sort(
        Comparator.comparingLong(PeerFacts::lastSeen)
            .reversed()
            .thenComparing(peer -> peer.address().host())
            .thenComparingInt(peer -> peer.address().port()));
    return peers;
  }

  private static PeerFacts facts(long id, ByteReader in) {
    return new PeerFacts(
        address(in),
        in.compactSize(),
        in.varText(),
        Table.small(in),
        in.compactSize(),
        in.compactSize(),
        in.uint8() != 0,
        in.varText());
  }

  static NodeAddress address(ByteReader in) {
    return new NodeAddress(in.varText(), in.uint16());
  }

  static ByteWriter address(NodeAddress peer) {
    return new ByteWriter().varText(peer.host()).uint16(peer.port());
  }

  void put(List<PeerFacts> peers) throws SQLException {
    for (PeerFacts peer : peers) {
      table.put(
          Table.id(address(peer.address())),
          address(peer.address())
              .compactSize(peer.services())
              .varText(peer.userAgent())
              .compactSize(peer.startHeight())
              .compactSize(peer.latencyMillis())
              .compactSize(peer.lastSeen())
              .uint8(peer.mempoolAtOnce() ? 1 : 0)
              .varText(peer.misbehaviour())
              .toArray());
    }
  }
}
