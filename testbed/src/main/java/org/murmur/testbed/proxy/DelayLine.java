package org.murmur.testbed.proxy;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One direction of a wire: bytes come out later, in order, and no faster than a rate. It knows no
 * clock and no thread; times are nanoseconds of any clock that does not go back.
 *
 * <p>Bytes are late, not slow: bytes put in close together come out close together. A full line
 * takes no more, so a receiver that does not read blocks the sender, as on a real wire.
 */
final class DelayLine {

  /** Bytes under way without a rate: 16 MiB are 160 MB/s over 100 ms, more than a test moves. */
  static final int MAX_UNLIMITED = 16 << 20;

  /** Bytes that may wait for their turn under a rate, as in a router's queue. */
  static final int QUEUE = 1 << 16;

  /** Most bytes of one chunk. */
  static final int MAX_CHUNK = 1 << 16;

  /** Chunks a second into which a rate is cut, so that it flows evenly. */
  private static final int CHUNKS_PER_SECOND = 100;

  /** The cost of a chunk besides its bytes, so that many small ones are bounded too. */
  private static final int OVERHEAD = 64;

  private static final class Chunk {
    private final byte[] bytes;
    private final long due;

    Chunk(byte[] bytes, long due) {
      this.bytes = bytes;
      this.due = due;
    }
  }

  private final long delay;
  private final long bytesPerSecond;
  private final long capacity;
  private final Deque<Chunk> chunks = new ArrayDeque<>();
  private long held;
  private long departed = Long.MIN_VALUE;

  /**
   * Makes an empty line. Each byte is under way for a delay in nanoseconds; a rate of 0 has no
   * limit.
   */
  DelayLine(long delay, long bytesPerSecond) {
    if (delay < 0 || bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "delay " + delay + " ns, " + bytesPerSecond + " bytes/s, expected 0 at least");
    }
    this.delay = delay;
    this.bytesPerSecond = bytesPerSecond;
    this.capacity =
        bytesPerSecond == 0
            ? MAX_UNLIMITED
            : (long) Math.min(MAX_UNLIMITED, QUEUE + delay / 1e9 * bytesPerSecond * 2);
  }

  /** Returns how many bytes may be put in next, 0 while it is full. */
  int room() {
    if (held >= capacity) {
      return 0;
    }
    return bytesPerSecond == 0
        ? MAX_CHUNK
        : (int) Math.max(1, Math.min(MAX_CHUNK, bytesPerSecond / CHUNKS_PER_SECOND));
  }

  /** Puts bytes in; the array belongs to the line from now on. */
  void put(byte[] bytes, long now) {
    departed = Math.max(departed, now);
    if (bytesPerSecond > 0) {
      departed += bytes.length * 1_000_000_000L / bytesPerSecond;
    }
    chunks.add(new Chunk(bytes, departed + delay));
    held += bytes.length + OVERHEAD;
  }

  /** Returns whether nothing is under way. */
  boolean isEmpty() {
    return chunks.isEmpty();
  }

  /** Returns the time of the next bytes, {@link Long#MAX_VALUE} if none are under way. */
  long due() {
    Chunk first = chunks.peek();
    return first == null ? Long.MAX_VALUE : first.due;
  }

  /** Takes the next bytes out, whether they are due or not. */
  byte[] take() {
    byte[] bytes = chunks.remove().bytes;
    held -= bytes.length + OVERHEAD;
    return bytes;
  }

  /** Returns the bytes under way, with what holding them costs. */
  long held() {
    return held;
  }
}
