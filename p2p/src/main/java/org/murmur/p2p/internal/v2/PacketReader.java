package org.murmur.p2p.internal.v2;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.Contents;
import org.murmur.p2p.internal.wire.Filling;
import org.murmur.p2p.internal.wire.WireException;

/**
 * Decrypts packets of one direction, whose bytes come cut anywhere. Call {@link #feed} with bytes,
 * then {@link #next} until it returns null. After an error {@link #next} returns the packets before
 * it and then always throws.
 *
 * <p>Not thread safe.
 */
final class PacketReader {

  private static final byte[] NOTHING = new byte[0];

  private final LengthCipher lengths;
  private final PacketCipher packets;

  private final byte[] length = new byte[LengthCipher.LENGTH];
  private int known;
  private final Filling body = new Filling();
  private final ArrayDeque<byte[]> complete = new ArrayDeque<>();
  private byte[] additional;
  private @Nullable WireException failure;

  /** The tag of the first packet authenticates the garbage before it, too. */
  PacketReader(SessionKeys keys, byte[] garbage) {
    lengths = keys.lengths(false);
    packets = keys.packets(false);
    additional = garbage;
  }

  /** Adds all bytes of a buffer. */
  void feed(ByteBuffer data) {
    while (data.hasRemaining() && failure == null) {
      if (known < LengthCipher.LENGTH) {
        length[known++] = data.get();
        if (known == LengthCipher.LENGTH) {
          begin(data.remaining());
        }
      } else if (body.fill(data)) {
        complete.add(body.take());
        known = 0;
      }
    }
  }

  private void begin(int available) {
    lengths.crypt(length, 0);
    int announced = (length[0] & 0xff) | ((length[1] & 0xff) << 8) | ((length[2] & 0xff) << 16);
    if (announced > Contents.MAX_LENGTH) {
      failure =
          new WireException(
              "packet",
              WireException.LENGTH,
              0,
              announced + " bytes, expected at most " + Contents.MAX_LENGTH,
              null);
      return;
    }
    body.begin(PacketCipher.HEADER + announced + PacketCipher.TAG, available);
  }

  /**
   * Removes the next packet that is no decoy.
   *
   * @return its header and contents, or null if more bytes are needed first
   * @throws WireException if a tag is wrong or a length is too large
   */
  byte @Nullable [] next() {
    for (byte[] packet = complete.poll(); packet != null; packet = complete.poll()) {
      byte[] plain = packets.decrypt(packet, additional);
      additional = NOTHING;
      if (plain == null) {
        complete.clear();
        failure = new WireException("packet", "tag", 0, "does not fit the packet", null);
        break;
      }
      if ((plain[0] & PacketCipher.IGNORE) == 0) {
        return plain;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  boolean isMidPacket() {
    return known > 0;
  }

  int buffered() {
    return body.room();
  }
}
