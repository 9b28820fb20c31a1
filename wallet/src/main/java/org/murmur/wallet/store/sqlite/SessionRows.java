package org.murmur.wallet.store.sqlite;

import java.sql.SQLException;
import org.murmur.wallet.store.SessionFacts;

/** What syncs cost. The table is made when the first is noted. */
final class SessionRows {

  /** Syncs that later ones are estimated from; older ones say little of the peers of today. */
  private static final int KEPT = 20;

  private final Database db;

  SessionRows(Database db) {
    this.db = db;
  }

  static SessionFacts facts(Row row) {
    return new SessionFacts(
        row.number(1), row.number(2), row.small(3), row.small(4), row.number(5), row.number(6));
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
