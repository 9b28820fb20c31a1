package org.murmur.bip37.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer that writes Bitcoin's serialisations. Not thread safe. */
public final class ByteWriter {

  private byte[] buffer;
  private int length;

  /** Makes a small writer. */
  public ByteWriter() {
    this(128);
  }

  /**
   * Makes a writer with an initial capacity.
   *
   * @param capacity bytes that fit before it grows
   */
  public ByteWriter(int capacity) {
    buffer = new byte[Math.max(16, capacity)];
  }

  /** {@return how much was written, bytes} */
  public int length() {
    return length;
  }

  /**
   * Writes one byte.
   *
   * @param value its low 8 bits
   * @return this
   */
  public ByteWriter uint8(int value) {
    room(1);
    buffer[length++] = (byte) value;
    return this;
  }

  /**
   * Writes two bytes, little-endian.
   *
   * @param value its low 16 bits
   * @return this
   */
  public ByteWriter uint16(int value) {
    room(2);
    LittleEndian.putInt16(buffer, length, value);
    length += 2;
    return this;
  }

  /**
   * Writes two bytes, big-endian, as ports are sent.
   *
   * @param value its low 16 bits
   * @return this
   */
  public ByteWriter uint16BigEndian(int value) {
    return uint8(value >>> 8).uint8(value);
  }

  /**
   * Writes four bytes, little-endian.
   *
   * @param value the 32 bits
   * @return this
   */
  public ByteWriter int32(int value) {
    room(4);
    LittleEndian.putInt32(buffer, length, value);
    length += 4;
    return this;
  }

  /**
   * Writes eight bytes, little-endian.
   *
   * @param value the 64 bits
   * @return this
   */
  public ByteWriter int64(long value) {
    room(8);
    LittleEndian.putInt64(buffer, length, value);
    length += 8;
    return this;
  }

  /**
   * Writes a variable-length integer (CompactSize) in its shortest form.
   *
   * @param value unsigned
   * @return this
   */
  public ByteWriter compactSize(long value) {
    if (value >= 0 && value < 0xfd) {
      return uint8((int) value);
    }
    if (value >= 0 && value <= 0xffff) {
      return uint8(0xfd).uint16((int) value);
    }
    if (value >= 0 && value <= 0xffffffffL) {
      return uint8(0xfe).int32((int) value);
    }
    return uint8(0xff).int64(value);
  }

  /**
   * Writes a hash in internal order.
   *
   * @param hash 32 bytes
   * @return this
   */
  public ByteWriter hash(Hash256 hash) {
    room(Hash256.LENGTH);
    hash.write(buffer, length);
    length += Hash256.LENGTH;
    return this;
  }

  /**
   * Writes bytes without a length.
   *
   * @param bytes what to write
   * @return this
   */
  public ByteWriter bytes(Bytes bytes) {
    return bytes(bytes.unsafeArray(), 0, bytes.length());
  }

  /**
   * Writes part of an array without a length.
   *
   * @param source the array
   * @param offset index of the first byte
   * @param count number of bytes
   * @return this
   */
  public ByteWriter bytes(byte[] source, int offset, int count) {
    room(count);
    System.arraycopy(source, offset, buffer, length, count);
    length += count;
    return this;
  }

  /**
   * Writes a CompactSize length and the bytes.
   *
   * @param bytes what to write
   * @return this
   */
  public ByteWriter varBytes(Bytes bytes) {
    return compactSize(bytes.length()).bytes(bytes);
  }

  /**
   * Writes a CompactSize length and the bytes of a text in UTF-8.
   *
   * @param text what to write
   * @return this
   */
  public ByteWriter varText(String text) {
    return varBytes(Bytes.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** {@return a copy of the written bytes} */
  public byte[] toArray() {
    return Arrays.copyOf(buffer, length);
  }

  /** {@return the written bytes as a value} */
  public Bytes toBytes() {
    return Bytes.wrap(toArray());
  }

  private void room(int more) {
    if (buffer.length - length < more) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + more));
    }
  }
}
