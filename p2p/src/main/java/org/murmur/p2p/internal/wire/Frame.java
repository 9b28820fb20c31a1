package org.murmur.p2p.internal.wire;

/**
 * A received message and its size on the wire.
 *
 * @param wireBytes bytes on the wire: 24 of header and the payload
 */
public record Frame(Message message, int wireBytes) {

  /** Bytes of the header that every message begins with. */
  public static final int HEADER_LENGTH = 24;

  /** The longest payload of any message, in bytes (Core's MAX_PROTOCOL_MESSAGE_LENGTH). */
  public static final int MAX_PAYLOAD = 4_000_000;

  static final int MAGIC_AT = 0;
  static final int COMMAND_AT = 4;
  static final int COMMAND_LENGTH = 12;
  static final int LENGTH_AT = 16;
  static final int CHECKSUM_AT = 20;
}
