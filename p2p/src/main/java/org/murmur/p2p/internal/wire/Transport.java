package org.murmur.p2p.internal.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The way from the bytes of one connection to messages and back: plain frames, or the encrypted
 * transport of BIP-0324. It has no socket. Not thread safe.
 */
public interface Transport {

  /**
   * Adds received bytes, cut anywhere.
   *
   * @param data read to its limit, then free for other use
   */
  void feed(ByteBuffer data);

  /**
   * Removes the next message.
   *
   * @return the next message, or null if more bytes are needed first
   * @throws WireException if the bytes are no message; the connection is then unusable
   */
  @Nullable Frame next();

  /** Removes bytes of the transport's own handshake that must be sent now; often none. */
  byte[] handshake();

  /** {@return whether messages can be sent and received} */
  boolean isReady();

  /** {@return whether messages are encrypted on the line} */
  boolean isEncrypted();

  /**
   * Returns the bytes of a message.
   *
   * @throws IllegalArgumentException if the message holds more than the protocol allows, or what
   *     its form cannot carry
   */
  byte[] encode(Message message);

  /** {@return whether the bytes so far end inside a message or the handshake} */
  boolean isMidFrame();

  /** {@return how many bytes are kept of a message that is not complete} */
  int buffered();
}
