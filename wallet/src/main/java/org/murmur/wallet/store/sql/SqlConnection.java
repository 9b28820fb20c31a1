package org.murmur.wallet.store.sql;

import java.sql.SQLException;

/**
 * A connection to a SQLite database. One thread at a time.
 *
 * <p>Every {@link SQLException} has SQLite's result code as its {@linkplain
 * SQLException#getErrorCode vendor code}.
 */
public interface SqlConnection extends AutoCloseable {

  /**
   * Begins a transaction.
   *
   * @param writing whether it is about to write, and excludes other writers from here on
   * @throws SQLException if somebody else writes for too long
   */
  void begin(boolean writing) throws SQLException;

  /**
   * Ends the transaction; what it wrote is on the disk.
   *
   * @throws SQLException if it cannot be written
   */
  void commit() throws SQLException;

  /**
   * Takes back what the transaction wrote.
   *
   * @throws SQLException if there is no transaction
   */
  void rollback() throws SQLException;

  /**
   * Runs a statement without parameters, and drops its answer.
   *
   * @param sql the statement; no word about transactions
   * @throws SQLException if it fails
   */
  void execute(String sql) throws SQLException;

  /**
   * Prepares a statement.
   *
   * @param sql the statement
   * @return without values for its parameters
   * @throws SQLException if it is none
   */
  SqlStatement prepare(String sql) throws SQLException;

  @Override
  void close() throws SQLException;
}
