package org.murmur.p2p.internal.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** An array that grows with the bytes that come, not to the length that a peer announced. */
public final class Filling {

  /** Maximum initial size of the array. */
  private static final int FIRST_ALLOCATION = 1024;

  private static final byte[] NOTHING = new byte[0];

  private byte[] bytes = NOTHING;
  private int length;
  private int expected;

  /** Begins to wait for some bytes, of which some are here. */
  public void begin(int announced, int available) {
    expected = announced;
    length = 0;
    bytes = new byte[Math.min(announced, Math.max(available, FIRST_ALLOCATION))];
  }

  /** Takes bytes, and returns whether all are here. */
  public boolean fill(ByteBuffer data) {
    int count = Math.min(expected - length, data.remaining());
    if (bytes.length - length < count) {
      int room = Math.max(length + count, 2 * bytes.length);
      bytes = Arrays.copyOf(bytes, Math.min(room, expected));
    }
    data.get(bytes, length, count);
    length += count;
    return length == expected;
  }

  /** Removes the complete array. */
  public byte[] take() {
    byte[] full = bytes;
    bytes = NOTHING;
    return full;
  }

  /** Bytes that are kept. */
  public int room() {
    return bytes.length;
  }
}
