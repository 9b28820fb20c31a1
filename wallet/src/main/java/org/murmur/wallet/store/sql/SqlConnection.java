package org.murmur.wallet.store.sql;

import java.sql.SQLException;

/**
 * A connection to a SQLite database. One thread at a time.
 *
 * <p>Every {@link SQLException} has SQLite's result code as its {@linkplain
 * SQLException#getErrorCode vendor code}.
 */
public interface SqlConnection extends AutoCloseable {

  /** Hears of rows that this connection changes. */
  interface RowListener {

    /**
     * A row of a table with row ids was written or deleted.
     *
     * @param table its table
     * @param row its id
     */
    void changed(String table, long row);
  }

  /**
   * Has changed rows reported from now on.
   *
   * @param listener called on the thread that changes rows, or that calls {@link #report}
   * @throws SQLException if SQLite refuses
   */
  void listen(RowListener listener) throws SQLException;

  /**
   * Returns when the listener has heard of every row that the open transaction changed.
   *
   * @throws SQLException if SQLite fails
   */
  void report() throws SQLException;

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
