package org.murmur.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.murmur.bip37.bytes.DoubleSha256;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameDecoder;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.WireException;

/**
 * A stream of frames, as a connection delivers it. Magic and checksum are put right where a frame
 * is whole, since no fuzzer guesses them; the first byte says whether.
 */
public final class Frames {

  static final int MAGIC = ChainParams.REGTEST.magic();

  private Frames() {}

  /** What came out of a decoder, and how it ended. */
  private record Heard(List<Message> messages, int bytes, String failure) {}

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    byte[] stream = Arrays.copyOfRange(input, 1, input.length);
    if ((input[0] & 1) == 0) {
      putRight(stream);
    }
    Heard[] whole = new Heard[1];
    Check.frugally(stream.length, () -> whole[0] = hear(stream, stream.length));
    // However the stream is cut, the same is heard.
    Check.equal(hear(stream, 1), whole[0], "byte by byte");
    Check.equal(hear(stream, 1 + (input[0] & 0x7f)), whole[0], "in pieces");
    Check.that(whole[0].bytes() <= stream.length, "more bytes than came");
  }

  private static Heard hear(byte[] stream, int piece) {
    FrameDecoder decoder = new FrameDecoder(MAGIC);
    List<Message> messages = new ArrayList<>();
    int bytes = 0;
    for (int at = 0; at < stream.length; at += piece) {
      decoder.feed(stream, at, Math.min(piece, stream.length - at));
      try {
        for (Frame f = decoder.next(); f != null; f = decoder.next()) {
          messages.add(f.message());
          bytes += f.wireBytes();
        }
      } catch (WireException e) {
        return new Heard(messages, bytes, String.valueOf(e.getMessage()));
      }
    }
    return new Heard(messages, bytes, "");
  }

  private static void putRight(byte[] stream) {
    ByteBuffer frames = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (stream.length - at >= Frame.HEADER_LENGTH) {
      frames.putInt(at, MAGIC);
      int length = frames.getInt(at + 16);
      if (length < 0 || length > stream.length - at - Frame.HEADER_LENGTH) {
        return;
      }
      int payload = at + Frame.HEADER_LENGTH;
      frames.putInt(at + 20, checksum(stream, payload, length));
      at = payload + length;
    }
  }

  private static int checksum(byte[] source, int offset, int length) {
    byte[] hash = new byte[Hash256.LENGTH];
    DoubleSha256.of(source, offset, length).write(hash, 0);
    return ByteBuffer.wrap(hash).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
  }

  /** A frame around a payload. */
  static byte[] frame(String command, byte[] payload) {
    byte[] frame = new byte[Frame.HEADER_LENGTH + payload.length];
    ByteBuffer out = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC);
    for (int i = 0; i < 12; i++) {
      out.put((byte) (i < command.length() ? command.charAt(i) : 0));
    }
    out.putInt(payload.length).putInt(checksum(payload, 0, payload.length)).put(payload);
    return frame;
  }
}
