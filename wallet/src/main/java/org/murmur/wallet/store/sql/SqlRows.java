package org.murmur.wallet.store.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An answer, which stands before its first row. Columns count from 1. A value of another type may
 * be converted, and nothing is thrown.
 */
public interface SqlRows extends AutoCloseable {

  /**
   * Goes to the next row.
   *
   * @return whether there is one
   * @throws SQLException if it cannot be read
   */
  boolean next() throws SQLException;

  /**
   * Reads a number of the current row.
   *
   * @param column which
   * @return its value; 0 for NULL
   * @throws SQLException if it cannot be read
   */
  long getLong(int column) throws SQLException;

  /**
   * Reads bytes of the current row.
   *
   * @param column which
   * @return its value, the caller's; perhaps null if there are none
   * @throws SQLException if it cannot be read
   */
  byte @Nullable [] getBytes(int column) throws SQLException;

  @Override
  void close() throws SQLException;
}
