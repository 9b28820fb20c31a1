package org.murmur.wallet.store.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A statement with parameters, which count from 1. They keep their values until they get others, so
 * it can run many times.
 */
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
   * Gives a parameter a text.
   *
   * @param parameter which
   * @param value its value
   * @throws SQLException if there is no such parameter
   */
  void setString(int parameter, @Nullable String value) throws SQLException;

  /**
   * Gives a parameter bytes.
   *
   * @param parameter which
   * @param value its value, not changed until the statement ran
   * @throws SQLException if there is no such parameter
   */
  void setBytes(int parameter, byte @Nullable [] value) throws SQLException;

  /**
   * Gives a parameter a number.
   *
   * @param parameter which
   * @param value its value
   * @throws SQLException if there is no such parameter
   */
  default void setInt(int parameter, int value) throws SQLException {
    setLong(parameter, value);
  }

  /**
   * Gives a parameter a truth value, which is 1 or 0.
   *
   * @param parameter which
   * @param value its value
   * @throws SQLException if there is no such parameter
   */
  default void setBoolean(int parameter, boolean value) throws SQLException {
    setLong(parameter, value ? 1 : 0);
  }

  /**
   * Gives a parameter a value.
   *
   * @param parameter which
   * @param value a whole number, a truth value, a text, bytes or null
   * @throws SQLException if there is no such parameter
   */
  default void setObject(int parameter, @Nullable Object value) throws SQLException {
    if (value instanceof Integer || value instanceof Long) {
      setLong(parameter, ((Number) value).longValue());
    } else if (value instanceof Boolean flag) {
      setBoolean(parameter, flag);
    } else if (value instanceof byte[] bytes) {
      setBytes(parameter, bytes);
    } else if (value == null || value instanceof String) {
      setString(parameter, (String) value);
    } else {
      throw new IllegalArgumentException("no value of SQLite: " + value.getClass());
    }
  }

  /**
   * Runs a statement that changes rows.
   *
   * @throws SQLException if it fails
   */
  void execute() throws SQLException;

  /**
   * Runs a statement that reads rows. Its answer is closed before the statement is used again.
   *
   * @return its rows
   * @throws SQLException if it fails
   */
  SqlRows query() throws SQLException;

  @Override
  void close() throws SQLException;
}
