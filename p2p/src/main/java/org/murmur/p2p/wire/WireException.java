package org.murmur.p2p.wire;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a peer that are no message: what a decoder says instead of guessing. It ends the
 * connection it came from and nothing else; there is no way to find the next frame behind one.
 */
public final class WireException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The field of a frame that says how long its body is. */
  static final String LENGTH = "length";

  /** How an answer in HTTP begins. */
  private static final int HTTP = 0x50545448;

  private final String command;
  private final String field;
  private final int offset;
  private final @Nullable Integer foreignMagic;

  WireException(String command, String field, int offset, String what, @Nullable Throwable cause) {
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
  }

  /** A frame that begins as those of our network do not. */
  WireException(int found, int expected) {
    super(
        found == HTTP
            ? "answers in HTTP; it is no node"
            : String.format("frame, magic: %08x, expected %08x (at byte 0)", found, expected));
    this.command = "";
    this.field = "magic";
    this.offset = FrameDecoder.MAGIC_AT;
    this.foreignMagic = found;
  }

  /**
   * Returns the message that was being read.
   *
   * @return its command, printable ASCII, or the empty string if the frame did not come that far
   */
  public String command() {
    return command;
  }

  /**
   * Returns the field that is wrong.
   *
   * @return {@code magic}, {@code length}, {@code checksum}, {@code command} or a field of the body
   */
  public String field() {
    return field;
  }

  /**
   * Returns whether a message was announced that is longer than its command allows; nothing of its
   * body was kept.
   *
   * @return true for a frame's length alone
   */
  public boolean isOversized() {
    return field.equals(LENGTH);
  }

  /**
   * Returns what a frame began with instead of our network's four bytes: another network's, or
   * anything.
   *
   * @return the four bytes as a little-endian integer; empty if they were right
   */
  public Optional<Integer> foreignMagic() {
    return Optional.ofNullable(foreignMagic);
  }

  /**
   * Returns where it is wrong.
   *
   * @return index of the field's first byte: into the payload for fields of the body, into the
   *     24-byte header for the others
   */
  public int offset() {
    return offset;
  }
}
