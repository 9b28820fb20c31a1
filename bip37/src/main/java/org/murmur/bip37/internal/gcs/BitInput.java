package org.murmur.bip37.internal.gcs;

import org.murmur.bip37.bytes.MalformedException;

/** Reads single bits, the most significant bit of each byte first. For one thread. */
final class BitInput {

  private final byte[] source;
  private long at;

  BitInput(byte[] source) {
    this.source = source;
  }

  long read(int count) {
    if (at + count > 8L * source.length) {
      throw new MalformedException("bits end too early", source.length);
    }
    long value = 0;
    for (int left = count; left > 0; ) {
      int room = 8 - (int) (at & 7);
      int taken = Math.min(room, left);
      int piece = (source[(int) (at >>> 3)] >>> (room - taken)) & ((1 << taken) - 1);
      value = value << taken | piece;
      left -= taken;
      at += taken;
    }
    return value;
  }

  /** Counts ones up to the next zero, and consumes that zero. */
  long readUnary() {
    long ones = 0;
    while (read(1) == 1) {
      ones++;
    }
    return ones;
  }

  /** Whether fewer than 8 bits are left, all of them zero. */
  boolean atEnd() {
    int left = (int) Math.min(8L * source.length - at, 8);
    return left < 8 && (left == 0 || (source[source.length - 1] & ((1 << left) - 1)) == 0);
  }
}
