package org.murmur.bip37.bytes;

import java.nio.charset.StandardCharsets;

/**
 * A forward cursor over a byte array that reads Bitcoin's serialisations.
 *
 * <p>A read beyond the range throws {@link MalformedException} with the position. Lengths are
 * checked against the remaining bytes before any allocation, so a hostile count costs nothing.
 */
public final class ByteReader {

  private final byte[] source;
  private final int end;
  private int position;

  /**
   * Reads a whole array.
   *
   * @param source the array, not copied
   */
  public ByteReader(byte[] source) {
    this(source, 0, source.length);
  }

  /**
   * Reads part of an array.
   *
   * @param source the array, not copied
   * @param from index of the first byte
   * @param to index behind the last byte
   */
  public ByteReader(byte[] source, int from, int to) {
    if (from < 0 || to < from || to > source.length) {
      throw new IndexOutOfBoundsException(
          "range " + from + ".." + to + " of " + source.length + " bytes");
    }
    this.source = source;
    this.position = from;
    this.end = to;
  }

  /** {@return the index of the next byte in the array} */
  public int position() {
    return position;
  }

  /** {@return how many bytes are left, 0 or more} */
  public int remaining() {
    return end - position;
  }

  /**
   * Reads one byte.
   *
   * @return 0 to 255
   * @throws MalformedException if nothing is left
   */
  public int uint8() {
    need(1);
    return source[position++] & 0xff;
  }

  /**
   * Reads two bytes, little-endian.
   *
   * @return 0 to 65,535
   * @throws MalformedException if too little is left
   */
  public int uint16() {
    need(2);
    int value = LittleEndian.uint16(source, position);
    position += 2;
    return value;
  }

  /**
   * Reads two bytes, big-endian, as ports are sent.
   *
   * @return 0 to 65,535
   * @throws MalformedException if too little is left
   */
  public int uint16BigEndian() {
    need(2);
    int value = (source[position] & 0xff) << 8 | (source[position + 1] & 0xff);
    position += 2;
    return value;
  }

  /**
   * Reads four bytes, little-endian.
   *
   * @return the 32 bits, signed
   * @throws MalformedException if too little is left
   */
  public int int32() {
    need(4);
    int value = LittleEndian.int32(source, position);
    position += 4;
    return value;
  }

  /**
   * Reads four bytes, little-endian.
   *
   * @return 0 to 2^32-1
   * @throws MalformedException if too little is left
   */
  public long uint32() {
    return Integer.toUnsignedLong(int32());
  }

  /**
   * Reads eight bytes, little-endian.
   *
   * @return the 64 bits, signed
   * @throws MalformedException if too little is left
   */
  public long int64() {
    need(8);
    long value = LittleEndian.int64(source, position);
    position += 8;
    return value;
  }

  /**
   * Reads Bitcoin's variable-length integer (CompactSize) and, as Core does, refuses a longer form
   * than the value needs.
   *
   * @return the 64 bits; above 2^63-1 it is negative
   * @throws MalformedException if too little is left or the form is not the shortest
   */
  public long compactSize() {
    int start = position;
    int first = uint8();
    long value;
    long least;
    switch (first) {
      case 0xfd -> {
        value = uint16();
        least = 0xfd;
      }
      case 0xfe -> {
        value = uint32();
        least = 0x10000L;
      }
      case 0xff -> {
        value = int64();
        least = 0x100000000L;
      }
      default -> {
        return first;
      }
    }
    if (Long.compareUnsigned(value, least) < 0) {
      throw new MalformedException("size " + value + " is not in its shortest form", start);
    }
    return value;
  }

  /**
   * Reads a CompactSize count of items with a minimum size.
   *
   * @param leastBytesEach minimum bytes of an item, at least 1
   * @return the count, which fits into the remaining bytes
   * @throws MalformedException if it does not fit
   */
  public int count(int leastBytesEach) {
    int start = position;
    long value = compactSize();
    if (value < 0 || value > remaining() / leastBytesEach) {
      throw new MalformedException(
          "count " + Long.toUnsignedString(value) + " does not fit into " + remaining() + " bytes",
          start);
    }
    return (int) value;
  }

  /**
   * Reads a hash in internal order.
   *
   * @return the hash
   * @throws MalformedException if too little is left
   */
  public Hash256 hash() {
    need(Hash256.LENGTH);
    Hash256 hash = Hash256.read(source, position);
    position += Hash256.LENGTH;
    return hash;
  }

  /**
   * Reads some bytes.
   *
   * @param length how many
   * @return a copy
   * @throws MalformedException if too little is left
   */
  public Bytes bytes(int length) {
    need(length);
    Bytes bytes = Bytes.of(source, position, position + length);
    position += length;
    return bytes;
  }

  /**
   * Reads a CompactSize length and that many bytes.
   *
   * @return a copy
   * @throws MalformedException if too little is left
   */
  public Bytes varBytes() {
    return bytes(count(1));
  }

  /**
   * Reads a CompactSize length and that many bytes of UTF-8.
   *
   * @return the text; bytes that are no UTF-8 are replaced
   * @throws MalformedException if too little is left
   */
  public String varText() {
    return new String(varBytes().unsafeArray(), StandardCharsets.UTF_8);
  }

  /**
   * Returns a copy of the bytes since a position.
   *
   * @param from an earlier {@link #position()}
   * @return a copy
   */
  public Bytes since(int from) {
    return Bytes.of(source, from, position);
  }

  /**
   * Skips bytes.
   *
   * @param length how many
   * @throws MalformedException if too little is left
   */
  public void skip(int length) {
    need(length);
    position += length;
  }

  /**
   * Checks that everything was read.
   *
   * @throws MalformedException if bytes are left over
   */
  public void expectEnd() {
    if (position != end) {
      throw new MalformedException(remaining() + " bytes left over", position);
    }
  }

  private void need(int length) {
    if (length < 0 || length > end - position) {
      throw new MalformedException(
          "ends too early: " + length + " more needed, " + (end - position) + " left", position);
    }
  }
}
