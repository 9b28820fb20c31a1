package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.tx.Tx;
import org.murmur.wallet.internal.store.WalletStore;

/** Payments that the wallet gave out, as PSBTs or to be sent, without witness data. */
final class GivenRows {

  private final Table table;

  GivenRows(Tables tables) {
    table = tables.of("given");
  }

  List<Tx> read() throws SQLException {
    return table.all(GivenRows::tx);
  }

  private static Tx tx(long id, ByteReader in) {
    return Tx.parse(in.bytes(in.remaining()));
  }

  /** Adds one as the newest, and drops the oldest if there are too many. */
  void add(Tx given) throws SQLException {
    List<Long> others = new ArrayList<>();
    for (Map.Entry<Long, Tx> row : table.byId(GivenRows::tx).entrySet()) {
      if (row.getValue().equals(given)) {
        table.delete(row.getKey());
      } else {
        others.add(row.getKey());
      }
    }
    if (others.size() >= WalletStore.GIVEN) {
      table.delete(others.get(0));
    }
    table.put(table.next(), given.raw().toArray());
  }
}
