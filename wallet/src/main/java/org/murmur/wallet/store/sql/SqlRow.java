package org.murmur.wallet.store.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The current row of an answer. Columns count from 1. Values of another type are converted as
 * SQLite does it.
 */
public interface SqlRow {

  /**
   * Reads a number.
   *
   * @param column which
   * @return its value; 0 for NULL
   * @throws SQLException if it cannot be read
   */
  long getLong(int column) throws SQLException;

  /**
   * Reads a text.
   *
   * @param column which
   * @return its value
   * @throws SQLException if it cannot be read
   */
  @Nullable String getString(int column) throws SQLException;

  /**
   * Reads bytes.
   *
   * @param column which
   * @return its value, the caller's; those of its text in UTF-8 if it is none
   * @throws SQLException if it cannot be read
   */
  byte @Nullable [] getBytes(int column) throws SQLException;

  /**
   * Reads a value of any type.
   *
   * @param column which
   * @return an Integer or Long, a Double, a String, bytes or null
   * @throws SQLException if it cannot be read
   */
  @Nullable Object getObject(int column) throws SQLException;

  /**
   * Returns the name of a column.
   *
   * @param column which
   * @return its name
   * @throws SQLException if there is none
   */
  String name(int column) throws SQLException;

  /**
   * Reads a number.
   *
   * @param column which
   * @return the low 32 bits of its value; 0 for NULL
   * @throws SQLException if it cannot be read
   */
  default int getInt(int column) throws SQLException {
    return (int) getLong(column);
  }

  /**
   * Reads a truth value.
   *
   * @param column which
   * @return whether its value is not 0
   * @throws SQLException if it cannot be read
   */
  default boolean getBoolean(int column) throws SQLException {
    return getLong(column) != 0;
  }
}
