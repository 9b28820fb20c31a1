package org.murmur.bip37.internal.gcs;

import java.nio.ByteBuffer;
import org.murmur.bip37.bytes.MalformedException;

/**
 * Reads numbers in Golomb-Rice code, the most significant bit of each byte first. It looks at 57
 * bits at once: one bit after the other takes six times as long. For one thread.
 */
final class BitInput {

  /** That many bits follow any bit within the 8 bytes that begin with its byte. */
  private static final int SEEN = 57;

  /** Big-endian. */
  private final ByteBuffer source;

  private final long end;
  private long at;

  /**
   * Starts at a byte.
   *
   * @param from the byte's index
   */
  BitInput(byte[] source, int from) {
    this.source = ByteBuffer.wrap(source);
    this.end = 8L * source.length;
    this.at = 8L * from;
  }

  /**
   * Reads one number: its upper bits as so many ones and a zero, then its lowest bits.
   *
   * @param p the number of the lowest bits, 0 to 32
   * @throws MalformedException if the bits end before the number does
   */
  long readRice(int p) {
    long bits = next();
    int ones = Long.numberOfLeadingZeros(~bits);
    long upper = ones;
    while (ones >= SEEN) {
      upper += SEEN - ones;
      at += SEEN;
      bits = next();
      ones = Long.numberOfLeadingZeros(~bits);
      upper += ones;
    }
    at += ones + 1;
    bits = ones + 1 + p <= SEEN ? bits << (ones + 1) : next();
    at += p;
    if (at > end) {
      throw new MalformedException("bits end too early", source.limit());
    }
    // Two shifts, since one by 64 would shift by 0.
    return upper << p | bits >>> 1 >>> (63 - p);
  }

  /** The next bits, most significant first: at least 57, with zeros behind the end. */
  private long next() {
    int first = (int) (at >>> 3);
    int left = source.limit() - first;
    long bits = 0;
    if (left >= Long.BYTES) {
      bits = source.getLong(first);
    } else {
      for (int i = 0; i < left; i++) {
        bits |= (source.get(first + i) & 0xffL) << (56 - 8 * i);
      }
    }
    return bits << (at & 7);
  }

  /** Whether fewer than 8 bits are left, all of them zero. */
  boolean atEnd() {
    return end - at < 8 && next() == 0;
  }
}
