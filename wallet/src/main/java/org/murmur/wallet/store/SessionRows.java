package org.murmur.wallet.store;

import java.sql.SQLException;
import java.util.List;

/** What syncs cost. The table is made when the first is noted. */
final class SessionRows {

  /** Syncs that later ones are estimated from; older ones say little of the peers of today. */
  private static final int KEPT = 20;

  private final Database db;

  SessionRows(Database db) {
    this.db = db;
  }

  List<SessionFacts> read() throws SQLException {
    return db.hasTable("session")
        ? db.all(
            "SELECT began, millis, headers, blocks, received, sent FROM session ORDER BY id",
            r ->
                new SessionFacts(
                    r.getLong(1),
                    r.getLong(2),
                    r.getInt(3),
                    r.getInt(4),
                    r.getLong(5),
                    r.getLong(6)))
        : List.of();
  }

  void add(SessionFacts session) throws SQLException {
    db.execute(Schema.SESSIONS);
    db.change(
        "INSERT INTO session (began, millis, headers, blocks, received, sent)"
            + " VALUES (?, ?, ?, ?, ?, ?)",
        session.began(),
        session.millis(),
        session.headers(),
        session.blocks(),
        session.received(),
        session.sent());
    db.execute("DELETE FROM session WHERE id <= (SELECT max(id) FROM session) - " + KEPT);
  }
}
