package org.murmur.p2p.sync;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Bytes of messages by cause, with the headers of their frames. Immutable.
 *
 * @param parts the bytes of each cause that has any, in the order of the causes
 */
public record BytesByCause(Map<TrafficCause, Part> parts) {

  /** No bytes at all. */
  public static final BytesByCause NONE = new BytesByCause(Map.of());

  /**
   * Bytes on the wire of a {@code merkleblock} without a match: frame header, block header, number
   * of transactions, one hash and one byte of flags, each of the last two with its count.
   */
  public static final int EMPTY_BLOCK_BYTES = 143;

  /**
   * The bytes of one cause.
   *
   * @param received from peers
   * @param sent to peers
   */
  public record Part(long received, long sent) {

    /** Nothing. */
    public static final Part NONE = new Part(0, 0);

    private Part plus(long moreReceived, long moreSent) {
      return new Part(received + moreReceived, sent + moreSent);
    }
  }

  /** Copies the map. */
  public BytesByCause {
    Map<TrafficCause, Part> copy = new EnumMap<>(TrafficCause.class);
    copy.putAll(parts);
    parts = Collections.unmodifiableMap(copy);
  }

  /**
   * Adds bytes of a cause.
   *
   * @param cause the cause
   * @param received how many more bytes came
   * @param sent how many more bytes were sent
   * @return the sum
   */
  public BytesByCause plus(TrafficCause cause, long received, long sent) {
    if (received == 0 && sent == 0) {
      return this;
    }
    Map<TrafficCause, Part> sum = new EnumMap<>(TrafficCause.class);
    sum.putAll(parts);
    sum.put(cause, of(cause).plus(received, sent));
    return new BytesByCause(sum);
  }

  /**
   * Moves received bytes of {@link TrafficCause#MATCHES} to {@link TrafficCause#FALSE_POSITIVES}.
   *
   * @param bytes how many were received of matches that turned out to be false; at most those of
   *     all matches are moved
   * @return the same bytes by other causes
   */
  public BytesByCause falsePositives(long bytes) {
    long moved = Math.min(bytes, of(TrafficCause.MATCHES).received());
    return moved == 0
        ? this
        : plus(TrafficCause.MATCHES, -moved, 0).plus(TrafficCause.FALSE_POSITIVES, moved, 0);
  }

  /**
   * Returns the bytes of a cause.
   *
   * @param cause the cause
   * @return its bytes, possibly none
   */
  public Part of(TrafficCause cause) {
    return parts.getOrDefault(cause, Part.NONE);
  }

  /** {@return the received bytes of all causes} */
  public long received() {
    return parts.values().stream().mapToLong(Part::received).sum();
  }

  /** {@return the sent bytes of all causes} */
  public long sent() {
    return parts.values().stream().mapToLong(Part::sent).sum();
  }
}
