package org.murmur.wallet.store.sql;

import java.sql.SQLException;

/** An answer, which stands before its first row. */
public interface SqlRows extends SqlRow, AutoCloseable {

  /**
   * Goes to the next row.
   *
   * @return whether there is one
   * @throws SQLException if it cannot be read
   */
  boolean next() throws SQLException;

  @Override
  void close() throws SQLException;
}
