package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.p2p.internal.sync.CommitBatch.Fetch;

/** The whole blocks that peers were asked for, since each may be the wallet's. */
final class FetchRows {

  private final Table table;

  FetchRows(Tables tables) {
    table = tables.of("fetch");
  }

  List<Fetch> read() throws SQLException {
    return table.all(FetchRows::fetch);
  }

  private static Fetch fetch(long id, ByteReader in) {
    return new Fetch(PeerRows.address(in), Table.small(in), in.compactSize());
  }

  /** Adds what is new; a peer that is asked for a block again learns nothing. */
  void put(List<Fetch> fetches) throws SQLException {
    if (fetches.isEmpty()) {
      return;
    }
    Map<List<Object>, Long> known = new HashMap<>();
    Map<Long, Fetch> rows = table.byId(FetchRows::fetch);
    rows.forEach((id, row) -> known.put(key(row), id));
    for (Fetch fetch : fetches) {
      Long before = known.get(key(fetch));
      long id = before == null ? table.next() : before;
      known.put(key(fetch), id);
      table.put(
          id,
          PeerRows.address(fetch.peer())
              .compactSize(fetch.height())
              .compactSize(fetch.time())
              .toArray());
    }
  }

  private static List<Object> key(Fetch fetch) {
    return List.of(fetch.peer(), fetch.height());
  }
}
