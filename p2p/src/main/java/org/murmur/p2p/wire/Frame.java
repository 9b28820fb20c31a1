package org.murmur.p2p.wire;

/**
 * A received message and its size on the wire.
 *
 * @param message the message
 * @param wireBytes bytes on the wire: 24 of header and the payload
 */
public record Frame(Message message, int wireBytes) {

  /** Bytes of the header that every message begins with. */
  public static final int HEADER_LENGTH = 24;

  /** The longest payload of any message, in bytes (Core's MAX_PROTOCOL_MESSAGE_LENGTH). */
  public static final int MAX_PAYLOAD = 4_000_000;
}
