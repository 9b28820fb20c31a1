package org.murmur.wallet.store.sql;

import java.nio.file.Path;
import java.sql.SQLException;

/** A SQLite library: the JVM's by JDBC, or the one that a phone has. Thread safe. */
public interface SqlEngine {

  /** The purpose of opening a file. */
  enum Access {
    /** Everything. */
    WRITE,
    /** Reading, together with the log of somebody who may write. */
    READ,
    /** Reading what nobody writes to: SQLite need not look for a log, nor make one. */
    FROZEN
  }

  /**
   * Opens a database. Must not change or delete one that is damaged.
   *
   * @param file where it is; there is such a file, perhaps an empty one
   * @param access what for
   * @return the connection
   * @throws SQLException if it cannot be opened, with SQLite's result code
   */
  SqlConnection open(Path file, Access access) throws SQLException;
}
