package org.murmur.bip37.bytes;

/** Malformed bytes. The message names the field, the offset its position. */
public final class MalformedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The error without the position. */
  private final String reason;

  /** Index of the byte where the bad field begins. */
  /** Where the bad field begins. */
  private final int offset;

  /**
   * Makes one.
   *
   * @param message the error, lower case
   * @param offset index of the byte where the bad field begins
   */
  public MalformedException(String message, int offset) {
    super(message + " (at byte " + offset + ")");
    this.reason = message;
    this.offset = offset;
  }

  /** {@return where the bad field begins, an index into the source array} */
  public int offset() {
    return offset;
  }

  /** {@return the error without the position} */
  public String reason() {
    return reason;
  }
}
