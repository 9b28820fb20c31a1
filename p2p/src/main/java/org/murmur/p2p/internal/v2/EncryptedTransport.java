package org.murmur.p2p.internal.v2;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.Contents;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.PlainTransport;
import org.murmur.p2p.internal.wire.Transport;
import org.murmur.p2p.internal.wire.WireException;

/**
 * The encrypted transport of BIP-0324, for the side that opened a connection and for the one that
 * accepted it. The latter becomes a plain transport if the caller speaks the plain protocol.
 */
public final class EncryptedTransport implements Transport {

  private final int magic;
  private final boolean initiating;
  private final Handshake handshake;
  private boolean ready;
  private @Nullable PlainTransport plain;
  private @Nullable WireException failure;

  /**
   * @param magic the network's four bytes, read as a little-endian integer
   * @param initiating whether this side opened the connection
   * @param dice source of the key and of the garbage, so it must be unpredictable
   */
  public EncryptedTransport(int magic, boolean initiating, Dice dice) {
    this(magic, initiating, new Handshake(magic, initiating, dice));
  }

  EncryptedTransport(int magic, boolean initiating, Handshake handshake) {
    this.magic = magic;
    this.initiating = initiating;
    this.handshake = handshake;
  }

  /**
   * {@return whether the other side seems to know only the plain protocol: it answered with a frame
   * of it, or ended the connection without an answer to our key}
   *
   * @param ended whether the connection ended
   */
  public boolean isPlainPeer(boolean ended) {
    return initiating && (handshake.isPlain() || (ended && handshake.isUnanswered()));
  }

  @Override
  public void feed(ByteBuffer data) {
    try {
      if (plain == null && handshake.reader() == null) {
        handshake.feed(data);
        becomePlain();
      }
      if (plain != null) {
        plain.feed(data);
      }
      PacketReader packets = handshake.reader();
      if (packets != null) {
        packets.feed(data);
        // The version packet says nothing yet.
        ready = ready || packets.next() != null;
      }
    } catch (WireException e) {
      failure = e;
    }
    Buffer rest = data; // ByteBuffer.position does not exist on Android 8, only Buffer.position
    rest.position(rest.limit());
  }

  private void becomePlain() {
    if (handshake.isPlain() && !initiating) {
      plain = new PlainTransport(magic);
      plain.feed(ByteBuffer.wrap(handshake.prefix()));
    }
  }

  @Override
  public @Nullable Frame next() {
    if (failure != null) {
      throw failure;
    }
    if (plain != null) {
      return plain.next();
    }
    PacketReader packets = handshake.reader();
    byte[] packet = packets == null || !ready ? null : packets.next();
    if (packet == null) {
      return null;
    }
    int contents = packet.length - PacketCipher.HEADER;
    try {
      Message message = Contents.decode(packet, PacketCipher.HEADER);
      return new Frame(message, PacketWriter.OVERHEAD + contents);
    } catch (WireException e) {
      failure = e;
      throw e;
    }
  }

  @Override
  public byte[] handshake() {
    return handshake.outgoing();
  }

  @Override
  public boolean isReady() {
    return ready || plain != null;
  }

  @Override
  public boolean isEncrypted() {
    return plain == null;
  }

  @Override
  public byte[] encode(Message message) {
    if (plain != null) {
      return plain.encode(message);
    }
    return writer().packet(Contents.encode(message));
  }

  /** Returns a packet that the other side drops. */
  public byte[] decoy(byte[] contents) {
    return writer().decoy(contents);
  }

  private PacketWriter writer() {
    PacketWriter packets = handshake.writer();
    if (packets == null) {
      throw new IllegalStateException("the other side's key is not known yet");
    }
    return packets;
  }

  @Override
  public boolean isMidFrame() {
    if (plain != null) {
      return plain.isMidFrame();
    }
    PacketReader packets = handshake.reader();
    return packets == null ? !handshake.isUnanswered() : packets.isMidPacket();
  }

  @Override
  public int buffered() {
    if (plain != null) {
      return plain.buffered();
    }
    PacketReader packets = handshake.reader();
    return packets == null ? 0 : packets.buffered();
  }
}
