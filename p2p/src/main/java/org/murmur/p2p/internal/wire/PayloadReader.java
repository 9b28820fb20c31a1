package org.murmur.p2p.internal.wire;

import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;

/** A cursor over a payload that knows the current field, so that an error names it. */
final class PayloadReader {

  private final byte[] payload;
  private final ByteReader in;
  private String field = "payload";

  PayloadReader(byte[] payload) {
    this.payload = payload;
    this.in = new ByteReader(payload);
  }

  /** Sets the name of the field that is read next. */
  ByteReader at(String name) {
    field = name;
    return in;
  }

  /** Returns the whole payload and marks it as read. */
  Bytes whole(String name) {
    at(name).skip(in.remaining());
    return Bytes.wrap(payload);
  }

  String field() {
    return field;
  }

  byte[] payload() {
    return payload;
  }

  int remaining() {
    return in.remaining();
  }

  boolean hasMore() {
    return in.remaining() > 0;
  }

  /** Reads a count of items with a fixed or minimum size, up to a maximum. */
  int count(String name, int leastBytesEach, int most) {
    int start = at(name).position();
    int count = in.count(leastBytesEach);
    if (count > most) {
      throw new MalformedException(count + " entries, expected at most " + most, start);
    }
    return count;
  }

  /** Reads a CompactSize length up to a maximum. */
  int length(String name, int most) {
    int start = at(name).position();
    long length = in.compactSize();
    if (length < 0 || length > most) {
      throw new MalformedException(
          Long.toUnsignedString(length) + " bytes, expected at most " + most, start);
    }
    return (int) length;
  }

  /**
   * Reads text. Non-printable characters become question marks, so that a peer cannot send control
   * sequences to a terminal.
   */
  String text(String name, int most) {
    int length = length(name, most);
    int from = in.position();
    in.skip(length);
    char[] chars = new char[length];
    for (int i = 0; i < length; i++) {
      byte b = payload[from + i];
      chars[i] = b >= 0x20 && b < 0x7f ? (char) b : '?';
    }
    return new String(chars);
  }

  void expectEnd() {
    at("end").expectEnd();
  }
}
