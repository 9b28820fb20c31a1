package org.murmur.wallet.store.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Reads columns that are never NULL: the schema says so, but SQLite does not look when it reads,
 * and a damaged record can hold anything.
 */
final class Columns {

  private Columns() {}

  /**
   * Reads bytes.
   *
   * @throws IllegalArgumentException if there are none
   */
  static byte[] bytes(ResultSet row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    if (bytes == null) {
      throw missing(row, column);
    }
    return bytes;
  }

  /**
   * Reads text.
   *
   * @throws IllegalArgumentException if there is none
   */
  static String text(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    if (text == null) {
      throw missing(row, column);
    }
    return text;
  }

  private static IllegalArgumentException missing(ResultSet row, int column) throws SQLException {
    return new IllegalArgumentException(
        "column " + row.getMetaData().getColumnName(column) + " is empty");
  }
}
