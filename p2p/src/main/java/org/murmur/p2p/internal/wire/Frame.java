package org.murmur.p2p.internal.wire;

import java.nio.charset.StandardCharsets;

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

  /**
   * Reads the twelve bytes of a command.
   *
   * @throws WireException if they are not ASCII padded with zeros
   */
  static String command(byte[] bytes, int from) {
    int length = 0;
    while (length < COMMAND_LENGTH && from + length < bytes.length && bytes[from + length] != 0) {
      length++;
    }
    boolean good = length > 0 && bytes.length - from >= COMMAND_LENGTH;
    for (int i = 0; good && i < COMMAND_LENGTH; i++) {
      byte b = bytes[from + i];
      good = i < length ? b >= 0x20 && b < 0x7f : b == 0;
    }
    if (!good) {
      throw new WireException("", "command", from, "not ASCII padded with zeros", null);
    }
    return Codec.intern(new String(bytes, from, length, StandardCharsets.US_ASCII));
  }
}
