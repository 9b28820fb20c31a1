package org.murmur.testbed.world.network;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.wire.Frame;
import org.murmur.p2p.internal.wire.FrameDecoder;
import org.murmur.p2p.internal.wire.FrameEncoder;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.WireException;
import org.murmur.regtest.chain.Dice;

/** The bytes of a connection from a damaged one on, as the client's decoder reads them. */
final class DamagedLine {

  private static final int MAGIC = ChainParams.REGTEST.magic();

  private final FrameDecoder decoder = new FrameDecoder(MAGIC);
  private boolean deaf;

  /** Returns what the client hears when a message arrives, one byte of it damaged if dice are. */
  List<Input> hear(Link link, Message message, @Nullable Dice damage) {
    List<Input> heard = new ArrayList<>();
    if (deaf) {
      return heard;
    }
    byte[] frame = FrameEncoder.encode(MAGIC, message);
    if (damage != null) {
      frame[damage.below(frame.length)] ^= (byte) damage.between(1, 255);
    }
    decoder.feed(frame, 0, frame.length);
    try {
      for (Frame next = decoder.next(); next != null; next = decoder.next()) {
        heard.add(new Input.Received(link, next.message(), next.wireBytes()));
      }
    } catch (WireException e) {
      // As the client's sockets do it.
      deaf = true;
      String why = String.valueOf(e.getMessage());
      heard.add(
          e.isMalformed()
              ? new Input.Malformed(link, why)
              : e.isOversized() ? new Input.Oversized(link, why) : new Input.Garbled(link, why));
    }
    return heard;
  }
}
