package org.murmur.wallet.store.sql;

import java.sql.SQLException;

/** A statement with parameters, which count from 1. It runs once. */
public interface SqlStatement extends AutoCloseable {

  /**
   * Gives a parameter a number.
   *
   * @param parameter which
   * @param value its value
   * @throws SQLException if there is no such parameter
   */
  void setLong(int parameter, long value) throws SQLException;

  /**
   * Gives a parameter bytes.
   *
   * @param parameter which
   * @param value its value, not changed until the statement ran
   * @throws SQLException if there is no such parameter
   */
  void setBytes(int parameter, byte[] value) throws SQLException;

  /**
   * Runs a statement that changes rows.
   *
   * @throws SQLException if it fails
   */
  void execute() throws SQLException;

  /**
   * Runs a statement that reads rows. Its answer is closed before the statement.
   *
   * @return its rows
   * @throws SQLException if it fails
   */
  SqlRows query() throws SQLException;

  @Override
  void close() throws SQLException;
}
