package org.murmur.wallet.internal.sqlite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.DoubleSha256;

/**
 * The values of a row. Columns count from 0. A value of another type than the schema says is
 * damage.
 */
final class Row {

  private final @Nullable Object[] values;

  Row(@Nullable Object... values) {
    this.values = values;
  }

  @Nullable Object[] values() {
    return values;
  }

  boolean isNull(int column) {
    return values[column] == null;
  }

  byte[] bytes(int column) {
    if (values[column] instanceof byte[] bytes) {
      return bytes;
    }
    throw wrongType(column);
  }

  String text(int column) {
    if (values[column] instanceof String text) {
      return text;
    }
    throw wrongType(column);
  }

  long number(int column) {
    if (values[column] instanceof Number number) {
      return number.longValue();
    }
    throw wrongType(column);
  }

  int small(int column) {
    return (int) number(column);
  }

  boolean flag(int column) {
    return number(column) != 0;
  }

  private IllegalArgumentException wrongType(int column) {
    return new IllegalArgumentException(
        "column " + column + " has a value of another type, or none");
  }

  /**
   * Stands for the key, which is the first columns, where there is no row id. Of SHA-256, because
   * other people choose addresses: two rows of one number would look like damage.
   */
  long key(int columns) {
    return ByteBuffer.wrap(DoubleSha256.of(Bytes.wrap(encoded(columns))).toInternal()).getLong();
  }

  /** The first values, each with its type and, where that varies, its length. */
  private byte[] encoded(int columns) {
    ByteWriter writer = new ByteWriter(512);
    for (int i = 0; i < columns; i++) {
      Object value = values[i];
      if (value instanceof Integer || value instanceof Long) {
        writer.uint8('i').int64(((Number) value).longValue());
      } else {
        byte[] bytes = bytesOf(value);
        writer.uint8(type(value)).int32(bytes.length).bytes(bytes, 0, bytes.length);
      }
    }
    return writer.toArray();
  }

  static byte[] bytesOf(@Nullable Object value) {
    return value instanceof byte[] blob
        ? blob
        : String.valueOf(value).getBytes(StandardCharsets.UTF_8);
  }

  static char type(@Nullable Object value) {
    return value == null
        ? 'n'
        : value instanceof byte[] ? 'b' : value instanceof String ? 's' : 'r';
  }
}
