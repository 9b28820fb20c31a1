package org.murmur.regtest.lies;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.node.Mask;

/** Falls silent for good without closing the connection, when a lie says so. */
abstract class Silence implements Mask {

  private boolean silent;

  /** From now on the peer is not heard and the session not sent. */
  void fallSilent() {
    silent = true;
  }

  boolean isSilent() {
    return silent;
  }

  @Override
  public @Nullable Message hears(Message message) {
    return silent ? null : message;
  }

  @Override
  public List<Message> says(Message message) {
    return silent ? List.of() : List.of(message);
  }
}
