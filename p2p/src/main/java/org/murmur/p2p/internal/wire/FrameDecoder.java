package org.murmur.p2p.internal.wire;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * A push decoder: turns the bytes of one connection, cut anywhere, into messages. Call {@link
 * #feed} with bytes, then {@link #next} until it returns null.
 *
 * <p>A payload is copied once, into its own array, which headers and blocks then view. The array
 * grows with the received bytes, not to the announced length. After the first error, {@link #next}
 * returns the messages before it and then always throws.
 *
 * <p>It has no socket and knows no peer. Not thread safe.
 */
public final class FrameDecoder {

  private final int magic;
  private final Checksum checksum = new Checksum();
  private final ArrayDeque<Envelope> complete = new ArrayDeque<>();

  private final byte[] header = new byte[Frame.HEADER_LENGTH];
  private int headerLength;
  private String command = "";
  private final Filling payload = new Filling();
  private @Nullable WireException failure;

  /** A complete frame, not decoded yet. */
  private static final class Envelope {
    final String command;
    final int checksum;
    final byte[] payload;

    Envelope(String command, int checksum, byte[] payload) {
      this.command = command;
      this.checksum = checksum;
      this.payload = payload;
    }
  }

  /**
   * Makes a decoder for a new connection.
   *
   * @param magic the network's four bytes, read as a little-endian integer (0xd9b4bef9 for mainnet)
   */
  public FrameDecoder(int magic) {
    this.magic = magic;
  }

  /**
   * Adds received bytes.
   *
   * @param data the array, free for other use when this returns
   */
  public void feed(byte[] data, int offset, int length) {
    feed(ByteBuffer.wrap(data, offset, length));
  }

  /**
   * Adds all bytes of a buffer.
   *
   * @param data read to its limit, then free for other use
   */
  public void feed(ByteBuffer data) {
    while (data.hasRemaining() && failure == null) {
      if (headerLength < Frame.HEADER_LENGTH) {
        feedHeader(data);
      } else if (payload.fill(data)) {
        endPayload();
      }
    }
    Buffer rest = data; // ByteBuffer.position does not exist on Android 8, only Buffer.position
    rest.position(rest.limit());
  }

  /**
   * Removes the next message.
   *
   * @return the next message, or null if more bytes are needed first
   * @throws WireException if the bytes are no message; the connection is then unusable
   */
  public @Nullable Frame next() {
    Envelope frame = complete.poll();
    if (frame != null) {
      try {
        return open(frame);
      } catch (WireException e) {
        complete.clear();
        failure = e;
        throw e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  /** {@return whether the bytes so far end inside a message; false if they end between messages} */
  public boolean isMidFrame() {
    return headerLength > 0;
  }

  /** {@return how many bytes are kept of a message that is not complete, 0 between messages} */
  public int buffered() {
    return payload.room();
  }

  private Frame open(Envelope frame) {
    byte[] body = frame.payload;
    int actual = checksum.of(body, 0, body.length);
    if (actual != frame.checksum) {
      throw new WireException(
          frame.command,
          "checksum",
          Frame.CHECKSUM_AT,
          String.format("%08x, expected %08x", frame.checksum, actual),
          null);
    }
    return new Frame(Codec.read(frame.command, body), Frame.HEADER_LENGTH + body.length);
  }

  private void feedHeader(ByteBuffer data) {
    int count = Math.min(Frame.HEADER_LENGTH - headerLength, data.remaining());
    data.get(header, headerLength, count);
    headerLength += count;
    if (headerLength >= Frame.COMMAND_AT && LittleEndian.int32(header, Frame.MAGIC_AT) != magic) {
      // Checked after four bytes: an HTTP server may never send twenty-four.
      failure = new WireException(LittleEndian.int32(header, Frame.MAGIC_AT), magic);
      return;
    }
    if (headerLength == Frame.HEADER_LENGTH) {
      beginPayload(data.remaining());
    }
  }

  private void beginPayload(int available) {
    try {
      command = Frame.command(header, Frame.COMMAND_AT);
    } catch (WireException e) {
      failure = e;
      return;
    }
    if (Codec.isDamaged(command)) {
      // No checksum covers it. Without this message the next ones would look unrequested.
      fail("command", Frame.COMMAND_AT, "one byte makes it unknown");
      return;
    }
    long length = Integer.toUnsignedLong(LittleEndian.int32(header, Frame.LENGTH_AT));
    int most = Codec.maxPayload(command);
    if (length > most) {
      fail(WireException.LENGTH, Frame.LENGTH_AT, length + " bytes, expected at most " + most);
      return;
    }
    payload.begin((int) length, available);
    if (length == 0) {
      endPayload();
    }
  }

  private void endPayload() {
    int sum = LittleEndian.int32(header, Frame.CHECKSUM_AT);
    complete.add(new Envelope(command, sum, payload.take()));
    headerLength = 0;
    command = "";
  }

  private void fail(String field, int offset, String what) {
    failure = new WireException(command, field, offset, what, null);
  }
}
