package org.murmur.wallet.internal.sqlite;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.murmur.p2p.sync.BytesByCause;
import org.murmur.p2p.sync.TrafficCause;
import org.murmur.wallet.internal.store.SessionFacts;

/** The cost of syncs. The tables are made when the first is noted. */
final class SessionRows {

  /** Syncs that later ones are estimated from; older ones say little of the peers of today. */
  private static final int KEPT = 20;

  private final Database db;

  SessionRows(Database db) {
    this.db = db;
  }

  /** A row of the bytes by cause. */
  record TrafficRow(long session, TrafficCause cause, long received, long sent) {

    static TrafficRow of(Row row) {
      return new TrafficRow(row.number(1), cause(row.text(2)), row.number(3), row.number(4));
    }

    /** A newer program may know more causes. */
    private static TrafficCause cause(String name) {
      return Stream.of(TrafficCause.values())
          .filter(cause -> cause.name().equals(name))
          .findFirst()
          .orElse(TrafficCause.OTHER);
    }
  }

  static SessionFacts facts(Row row, List<TrafficRow> parts) {
    BytesByCause traffic = BytesByCause.NONE;
    for (TrafficRow part : parts) {
      if (part.session() == row.number(0)) {
        traffic = traffic.plus(part.cause(), part.received(), part.sent());
      }
    }
    return new SessionFacts(
        row.number(1),
        row.number(2),
        row.small(3),
        row.small(4),
        row.number(5),
        row.number(6),
        traffic);
  }

  void add(SessionFacts session) throws SQLException {
    db.change(
        "INSERT INTO session (began, millis, headers, blocks, received, sent)"
            + " VALUES (?, ?, ?, ?, ?, ?)",
        session.began(),
        session.millis(),
        session.headers(),
        session.blocks(),
        session.received(),
        session.sent());
    for (Map.Entry<TrafficCause, BytesByCause.Part> part : session.traffic().parts().entrySet()) {
      db.change(
          "INSERT INTO traffic (session, cause, received, sent)"
              + " VALUES ((SELECT max(id) FROM session), ?, ?, ?)",
          part.getKey().name(),
          part.getValue().received(),
          part.getValue().sent());
    }
    db.execute("DELETE FROM session WHERE id <= (SELECT max(id) FROM session) - " + KEPT);
    db.execute("DELETE FROM traffic WHERE session NOT IN (SELECT id FROM session)");
  }
}
