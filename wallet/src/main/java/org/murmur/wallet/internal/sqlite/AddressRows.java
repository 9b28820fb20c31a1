package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.List;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.internal.discovery.AddressChanges;
import org.murmur.p2p.internal.discovery.KnownAddress;

/** The table of addresses where peers may be, a row for each. */
final class AddressRows {

  private final Table table;

  AddressRows(Tables tables) {
    table = tables.of("address");
  }

  List<KnownAddress> read() throws SQLException {
    return table.all(AddressRows::known);
  }

  private static KnownAddress known(long id, ByteReader in) {
    return new KnownAddress(
        new Endpoint(in.uint8(), in.varBytes(), in.uint16()),
        in.compactSize(),
        in.uint8() != 0,
        in.compactSize(),
        new NetGroup(in.varText()),
        in.uint8() != 0,
        in.compactSize(),
        in.compactSize(),
        Table.small(in),
        in.compactSize(),
        in.compactSize(),
        in.varText());
  }

  private static ByteWriter endpoint(Endpoint of) {
    return new ByteWriter().uint8(of.network()).varBytes(of.address()).uint16(of.port());
  }

  void write(AddressChanges changes) throws SQLException {
    for (Endpoint endpoint : changes.gone()) {
      table.delete(Table.id(endpoint(endpoint)));
    }
    for (KnownAddress known : changes.kept()) {
      table.put(
          Table.id(endpoint(known.endpoint())),
          endpoint(known.endpoint())
              .compactSize(known.services())
              .uint8(known.firstHand() ? 1 : 0)
              .compactSize(known.lastSeen())
              .varText(known.source().name())
              .uint8(known.proven() ? 1 : 0)
              .compactSize(known.lastTry())
              .compactSize(known.lastSuccess())
              .compactSize(known.failures())
              .compactSize(known.latencyMillis())
              .compactSize(known.bannedUntil())
              .varText(known.bannedFor())
              .toArray());
    }
  }
}
