package org.murmur.p2p.internal.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Frames in the clear, the first transport of Bitcoin. It needs no handshake. */
public final class PlainTransport implements Transport {

  private static final byte[] NOTHING = new byte[0];

  private final int magic;
  private final FrameDecoder decoder;

  /**
   * @param magic the network's four bytes, read as a little-endian integer
   */
  public PlainTransport(int magic) {
    this.magic = magic;
    this.decoder = new FrameDecoder(magic);
  }

  @Override
  public void feed(ByteBuffer data) {
    decoder.feed(data);
  }

  @Override
  public @Nullable Frame next() {
    return decoder.next();
  }

  @Override
  public byte[] handshake() {
    return NOTHING;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public boolean isEncrypted() {
    return false;
  }

  @Override
  public byte[] encode(Message message) {
    return FrameEncoder.encode(magic, message);
  }

  @Override
  public boolean isMidFrame() {
    return decoder.isMidFrame();
  }

  @Override
  public int buffered() {
    return decoder.buffered();
  }
}
