package org.murmur.bip37.internal.gcs;

import java.util.Arrays;
import org.murmur.bip37.bytes.Bytes;

/** Writes single bits, the most significant bit of each byte first. For one thread. */
final class BitOutput {

  private byte[] buffer = new byte[64];
  private long bits;

  /** Writes the lowest {@code count} bits of a value, most significant first. */
  void write(long value, int count) {
    for (int left = count; left > 0; ) {
      int room = 8 - (int) (bits & 7);
      int taken = Math.min(room, left);
      left -= taken;
      int piece = (int) (value >>> left) & ((1 << taken) - 1);
      int at = (int) (bits >>> 3);
      if (at == buffer.length) {
        buffer = Arrays.copyOf(buffer, 2 * at);
      }
      buffer[at] |= (byte) (piece << (room - taken));
      bits += taken;
    }
  }

  /** Writes this many ones, then a zero. */
  void writeUnary(long ones) {
    for (long left = ones; left > 0; left -= Math.min(left, 32)) {
      write(-1, (int) Math.min(left, 32));
    }
    write(0, 1);
  }

  long bits() {
    return bits;
  }

  /** The bits written so far; the last byte is padded with zeros. */
  Bytes toBytes() {
    return Bytes.of(buffer, 0, (int) ((bits + 7) >>> 3));
  }
}
