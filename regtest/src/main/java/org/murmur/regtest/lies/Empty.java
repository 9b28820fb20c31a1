package org.murmur.regtest.lies;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.node.Mask;

/** Gives empty answers. */
public enum Empty implements Mask.Same {
  /** All its {@code headers} messages are empty. */
  HEADERS,
  /** Answers {@code mempool} at once with an {@code inv} without entries. */
  MEMPOOL;

  private boolean isAsked(Message message) {
    return this == MEMPOOL && message instanceof Message.Mempool;
  }

  @Override
  public @Nullable Message hears(Message message) {
    return isAsked(message) ? null : message;
  }

  @Override
  public List<Message> answers(Message message) {
    return isAsked(message) ? List.of(new Message.Inv(List.of())) : List.of();
  }

  @Override
  public List<Message> says(Message message) {
    boolean hidden = this == HEADERS && message instanceof Message.HeadersMessage;
    return List.of(hidden ? new Message.HeadersMessage(Headers.NONE) : message);
  }
}
