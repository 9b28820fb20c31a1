package org.murmur.fuzz;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.internal.v2.Dice;
import org.murmur.p2p.internal.v2.EncryptedTransport;
import org.murmur.p2p.internal.wire.Contents;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.WireException;

/**
 * The bytes of an encrypted connection (BIP-0324). The first byte says whether they answer a key,
 * call a node, damage a stream of good packets, or are the contents of one.
 */
public final class Packets {

  private static final int WAYS = 4;
  private static final int MESSAGES = 5;

  private Packets() {}

  /** What came out of a transport, and how it ended. */
  private record Heard(List<Message> messages, boolean ready, String failure) {}

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    switch (input[0] & (WAYS - 1)) {
      case 0 -> alike(true, rest);
      case 1 -> alike(false, rest);
      case 2 -> damaged(rest);
      default -> contents(rest);
    }
  }

  private static Dice dice(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return bytes -> {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) random.nextInt();
      }
    };
  }

  /** However the stream is cut, the same is heard. */
  private static void alike(boolean initiating, byte[] stream) throws Exception {
    Heard[] whole = new Heard[1];
    Check.frugally(stream.length, () -> whole[0] = hear(initiating, stream, stream.length));
    Check.equal(hear(initiating, stream, 1), whole[0], "byte by byte");
    Check.equal(hear(initiating, stream, 7), whole[0], "in pieces");
  }

  private static Heard hear(boolean initiating, byte[] stream, int piece) {
    return hear(new EncryptedTransport(Frames.MAGIC, initiating, dice(1)), stream, piece);
  }

  private static Heard hear(EncryptedTransport transport, byte[] stream, int piece) {
    List<Message> messages = new ArrayList<>();
    for (int at = 0; at < stream.length; at += piece) {
      int length = Math.min(piece, stream.length - at);
      transport.feed(ByteBuffer.wrap(stream, at, length));
      try {
        for (Frame f = transport.next(); f != null; f = transport.next()) {
          messages.add(f.message());
        }
      } catch (WireException e) {
        return new Heard(messages, transport.isReady(), String.valueOf(e.getMessage()));
      }
    }
    return new Heard(messages, transport.isReady(), "");
  }

  /** No bit of a stream can be changed without notice: nothing comes but what was sent. */
  private static void damaged(byte[] mask) {
    EncryptedTransport one = new EncryptedTransport(Frames.MAGIC, true, dice(2));
    EncryptedTransport other = new EncryptedTransport(Frames.MAGIC, false, dice(3));
    while (!one.isReady() || !other.isReady()) {
      other.feed(ByteBuffer.wrap(one.handshake()));
      one.feed(ByteBuffer.wrap(other.handshake()));
    }
    List<Message> sent = new ArrayList<>();
    int at = 0;
    boolean changed = false;
    List<Message> came = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      Message message = new Message.Unknown("hum", Bytes.wrap(new byte[i]));
      byte[] packet = other.encode(message);
      for (int b = 0; b < packet.length; b++) {
        byte flip = at < mask.length ? mask[at++] : 0;
        changed |= flip != 0;
        packet[b] ^= flip;
      }
      Heard heard = hear(one, packet, packet.length);
      came.addAll(heard.messages());
      if (!changed) {
        sent.add(message);
      }
    }
    Check.equal(came, sent, "messages before the damage, and no other");
  }

  /** Contents are a message or refused; a message is written as its own contents. */
  private static void contents(byte[] packet) throws Exception {
    Message[] message = new Message[1];
    try {
      Check.frugally(packet.length, () -> message[0] = Contents.decode(packet, 0));
    } catch (WireException e) {
      return;
    }
    byte[] again = Contents.encode(message[0]);
    Check.equal(Contents.decode(again, 0), message[0], "said again");
  }
}
