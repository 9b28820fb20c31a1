package org.murmur.p2p.internal.wire;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * Turns messages into frames.
 *
 * <pre>
 * magic 4 | command 12, ASCII, zero-padded | payload length 4 | checksum 4 | payload
 * </pre>
 *
 * <p>Integers are little-endian. Pure and safe for any thread.
 *
 * <p>An {@link Message.Unknown} is written as it is, whatever its command, so that tests and
 * hostile nodes can send invalid bodies.
 */
public final class FrameEncoder {

  private static final ThreadLocal<Checksum> CHECKSUM = ThreadLocal.withInitial(Checksum::new);
  private static final byte[] EMPTY_HEADER = new byte[Frame.HEADER_LENGTH];

  private FrameEncoder() {}

  /**
   * Encodes a message.
   *
   * @throws IllegalArgumentException if the message holds more than the protocol allows, or what
   *     its form cannot carry
   */
  public static byte[] encode(int magic, Message message) {
    String command = Codec.command(message);
    ByteWriter out = new ByteWriter(Frame.HEADER_LENGTH + Codec.lengthHint(message));
    out.bytes(EMPTY_HEADER, 0, Frame.HEADER_LENGTH);
    Codec.write(message, out);
    byte[] frame = out.toArray();
    int length = frame.length - Frame.HEADER_LENGTH;
    if (length > Frame.MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          command + " of " + length + " bytes, expected at most " + Frame.MAX_PAYLOAD);
    }
    LittleEndian.putInt32(frame, Frame.MAGIC_AT, magic);
    byte[] name = command.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(name, 0, frame, Frame.COMMAND_AT, name.length);
    LittleEndian.putInt32(frame, Frame.LENGTH_AT, length);
    LittleEndian.putInt32(
        frame, Frame.CHECKSUM_AT, CHECKSUM.get().of(frame, Frame.HEADER_LENGTH, length));
    return frame;
  }

  /**
   * Encodes a message into a buffer.
   *
   * @throws IllegalArgumentException if the message holds more than the protocol allows, or what
   *     its form cannot carry
   * @throws BufferOverflowException if the buffer has too little room; nothing was written then
   */
  public static void encode(int magic, Message message, ByteBuffer target) {
    target.put(encode(magic, message));
  }

  /** Names the command of a message. */
  public static String command(Message message) {
    return Codec.command(message);
  }
}
