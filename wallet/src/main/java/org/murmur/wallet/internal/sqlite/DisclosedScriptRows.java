package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.internal.store.DisclosedScripts;

/** Scripts that peers were sent outside every filter. Rows are added and grow; none ever goes. */
final class DisclosedScriptRows {

  private final Table table;

  DisclosedScriptRows(Tables tables) {
    table = tables.of("told");
  }

  List<DisclosedScripts> read() throws SQLException {
    return table.all((id, in) -> disclosed(in));
  }

  private static DisclosedScripts disclosed(ByteReader in) {
    NodeAddress peer = PeerRows.address(in);
    long time = in.compactSize();
    BitSet scripts = bits(in);
    return new DisclosedScripts(peer, in.remaining() == 0 ? null : in.hash(), scripts, time);
  }

  /**
   * Places in the element log: a bit for each, the lowest of the first byte for the log's first.
   */
  static BitSet bits(ByteReader in) {
    return BitSet.valueOf(in.varBytes().unsafeArray());
  }

  static Bytes bytes(BitSet bits) {
    return Bytes.wrap(bits.toByteArray());
  }

  void put(List<DisclosedScripts> disclosed) throws SQLException {
    if (disclosed.isEmpty()) {
      return;
    }
    Map<Long, DisclosedScripts> rows = table.byId((id, in) -> disclosed(in));
    for (DisclosedScripts news : disclosed) {
      long id = table.next();
      for (Map.Entry<Long, DisclosedScripts> row : rows.entrySet()) {
        id = row.getValue().isSameAs(news) ? row.getKey() : id;
      }
      DisclosedScripts before = rows.get(id);
      DisclosedScripts after = before == null ? news : before.with(news);
      if (!after.equals(before)) {
        rows.put(id, after);
        write(id, after);
      }
    }
  }

  private void write(long id, DisclosedScripts row) throws SQLException {
    ByteWriter out =
        PeerRows.address(row.peer()).compactSize(row.time()).varBytes(bytes(row.scripts()));
    Hash256 sent = row.sent();
    table.put(id, (sent == null ? out : out.hash(sent)).toArray());
  }
}
