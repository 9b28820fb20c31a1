package org.murmur.regtest.lies;

import java.util.List;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.node.Mask;

/** Claims more blocks in its {@code version} message than its headers show. */
public record ClaimsBlocks(int more) implements Mask.Same {

  @Override
  public List<Message> says(Message message) {
    return List.of(message instanceof Message.Version v ? of(v, v.startHeight() + more) : message);
  }

  static Message.Version of(Message.Version v, int height) {
    return new Message.Version(
        v.protocol(), v.services(), v.time(), v.nonce(), v.userAgent(), height, v.relay());
  }
}
