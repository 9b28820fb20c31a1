package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.TrafficCause;
import org.murmur.wallet.internal.store.SessionFacts;

/** The cost of syncs, with their bytes by cause until the end of the row. */
final class SessionRows {

  /** Syncs that later ones are estimated from; older ones say little of the peers of today. */
  private static final int KEPT = 20;

  private final Table table;

  SessionRows(Tables tables) {
    table = tables.of("session");
  }

  List<SessionFacts> read() throws SQLException {
    return table.all(SessionRows::facts);
  }

  private static SessionFacts facts(long id, ByteReader in) {
    return new SessionFacts(
        in.compactSize(),
        in.compactSize(),
        Table.small(in),
        Table.small(in),
        in.compactSize(),
        in.compactSize(),
        traffic(in));
  }

  private static BytesByCause traffic(ByteReader in) {
    BytesByCause traffic = BytesByCause.NONE;
    while (in.remaining() > 0) {
      traffic = traffic.plus(cause(in.varText()), in.compactSize(), in.compactSize());
    }
    return traffic;
  }

  /** A newer program may know more causes. */
  static TrafficCause cause(String name) {
    return Stream.of(TrafficCause.values())
        .filter(cause -> cause.name().equals(name))
        .findFirst()
        .orElse(TrafficCause.OTHER);
  }

  void add(SessionFacts session) throws SQLException {
    ByteWriter out =
        new ByteWriter()
            .compactSize(session.began())
            .compactSize(session.millis())
            .compactSize(session.headers())
            .compactSize(session.blocks())
            .compactSize(session.received())
            .compactSize(session.sent());
    for (Map.Entry<TrafficCause, BytesByCause.Part> part : session.traffic().parts().entrySet()) {
      out.varText(part.getKey().name());
      out.compactSize(part.getValue().received()).compactSize(part.getValue().sent());
    }
    long id = table.next();
    table.put(id, out.toArray());
    table.delete(id - KEPT);
  }
}
