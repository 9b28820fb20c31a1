package org.murmur.bip37;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * A cursor over the operations of a script and the data that each one pushes.
 *
 * <p>It reads like Bitcoin Core's {@code GetOp}: a push beyond the end of the script ends the walk,
 * and earlier pushes count. {@code OP_1} to {@code OP_16} push numbers by their code, not data, so
 * their length is 0, as for every other operation. Reusable, so that many scripts need no
 * allocation. Not thread safe.
 */
public final class ScriptPushes {

  private static final int OP_PUSHDATA1 = 0x4c;
  private static final int OP_PUSHDATA2 = 0x4d;
  private static final int OP_PUSHDATA4 = 0x4e;

  private byte[] script = new byte[0];
  private int next;
  private int opcode = -1;
  private int offset;
  private int length;

  /** Makes a cursor over an empty script. */
  public ScriptPushes() {}

  /**
   * Starts a script.
   *
   * @param script the script, read in place
   * @return this cursor
   */
  public ScriptPushes over(Bytes script) {
    return over(script.unsafeArray());
  }

  ScriptPushes over(byte[] bytes) {
    this.script = bytes;
    this.next = 0;
    this.opcode = -1;
    this.offset = 0;
    this.length = 0;
    return this;
  }

  /**
   * Moves to the next operation.
   *
   * @return false at the end of the script and at a malformed operation; then there is no push
   */
  public boolean next() {
    opcode = -1;
    length = 0;
    int end = script.length;
    if (next >= end) {
      return false;
    }
    int code = script[next] & 0xff;
    int at = next + 1;
    long size = 0;
    if (code < OP_PUSHDATA1) {
      size = code;
    } else if (code <= OP_PUSHDATA4) {
      int prefix = 1 << (code - OP_PUSHDATA1);
      if (end - at < prefix) {
        next = end;
        return false;
      }
      size = pushedSize(code, at);
      at += prefix;
    }
    if (size > end - at) {
      next = end;
      return false;
    }
    opcode = code;
    offset = at;
    length = (int) size;
    next = at + length;
    return true;
  }

  /**
   * Moves to the next operation that pushes at least one byte.
   *
   * @return false if there is none before the script ends or is malformed
   */
  public boolean nextData() {
    while (next()) {
      if (length != 0) {
        return true;
      }
    }
    return false;
  }

  private long pushedSize(int code, int at) {
    return switch (code) {
      case OP_PUSHDATA1 -> script[at] & 0xff;
      case OP_PUSHDATA2 -> LittleEndian.uint16(script, at);
      default -> Integer.toUnsignedLong(LittleEndian.int32(script, at));
    };
  }

  /** {@return the current operation, its code, or -1 before the first and after the last} */
  public int opcode() {
    return opcode;
  }

  /**
   * {@return the array that holds the script, for reading only; the array in which {@link
   * #offset()} counts}
   */
  public byte[] array() {
    return script;
  }

  /** {@return where the pushed data begins, an index into {@link #array()}} */
  public int offset() {
    return offset;
  }

  /** {@return how much data is pushed, bytes; 0 for an operation that pushes no data} */
  public int length() {
    return length;
  }

  /** {@return a copy of the pushed data} */
  public Bytes data() {
    return Bytes.of(script, offset, offset + length);
  }

  /** Where the next operation begins; the script's length at the end. */
  int position() {
    return next;
  }
}
