package org.murmur.p2p.internal.wire;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bytes from a peer that are no valid message. The connection must end, because the start of the
 * next frame cannot be found.
 */
public final class WireException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The length field of a frame. */
  public static final String LENGTH = "length";

  /** The first bytes of an HTTP answer. */
  public static final int HTTP = 0x50545448;

  private final String command;
  private final String field;
  private final int offset;
  private final @Nullable Integer foreignMagic;
  private final boolean malformed;

  /** An error in a frame, or in the content of a message if there is a cause. */
  public WireException(
      String command, String field, int offset, String what, @Nullable Throwable cause) {
    super(
        (command.isEmpty() ? "frame" : command)
            + ", "
            + field
            + ": "
            + what
            + " (at byte "
            + offset
            + ")",
        cause);
    this.command = command;
    this.field = field;
    this.offset = offset;
    this.foreignMagic = null;
    this.malformed = cause != null;
  }

  /** A frame with another magic than our network's. */
  public WireException(int found, int expected) {
    super(
        found == HTTP
            ? "answers in HTTP; it is no node"
            : String.format("frame, magic: %08x, expected %08x (at byte 0)", found, expected));
    this.command = "";
    this.field = "magic";
    this.offset = Frame.MAGIC_AT;
    this.foreignMagic = found;
    this.malformed = false;
  }

  /** Returns the message that was being read. */
  public String command() {
    return command;
  }

  /**
   * Returns the invalid field.
   *
   * @return {@code magic}, {@code length}, {@code checksum}, {@code command} or a field of the body
   */
  public String field() {
    return field;
  }

  /**
   * {@return whether the content of a message is wrong, whose checksum is right: its sender made it
   * so; false for an error in magic, command, length or checksum} Any other error may be a byte
   * that was damaged on the way.
   */
  public boolean isMalformed() {
    return malformed;
  }

  /**
   * {@return whether the announced length exceeds the maximum of the command; true only for an
   * error in the length field} The body was not stored.
   */
  public boolean isOversized() {
    return field.equals(LENGTH);
  }

  /**
   * Returns the unexpected magic of the frame: another network's, or arbitrary bytes.
   *
   * @return the four bytes as a little-endian integer; empty if they were right
   */
  public Optional<Integer> foreignMagic() {
    return Optional.ofNullable(foreignMagic);
  }

  /** Returns the position of the error. */
  public int offset() {
    return offset;
  }
}
