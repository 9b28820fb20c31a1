package org.murmur.regtest.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.wire.Message;

/**
 * One lie of a node on one connection. It stands between an honest session and the peer. For one
 * thread; times are nanoseconds of the session's clock.
 */
public interface Mask {

  /**
   * Replaces a message on its way to the session.
   *
   * @param message from the peer
   * @return what the session gets instead; null for nothing
   */
  default @Nullable Message hears(Message message) {
    return message;
  }

  /**
   * Adds messages after the session's answer. No mask sees them.
   *
   * @param message from the peer
   * @return the messages to send
   */
  default List<Message> answers(Message message) {
    return List.of();
  }

  /**
   * Replaces a filtered block, before {@link #says} gets its messages.
   *
   * @param block as the session or the mask before serves it
   * @return what is served instead
   */
  default FilteredBlock serves(FilteredBlock block) {
    return block;
  }

  /**
   * Decides whether the session shows the peer an unconfirmed transaction.
   *
   * @param tx which
   * @return false to hide it
   */
  default boolean shows(Tx tx) {
    return true;
  }

  /**
   * Replaces a message of the session.
   *
   * @param message to the peer
   * @return what is sent instead
   */
  default List<Message> says(Message message) {
    return List.of(message);
  }

  /**
   * Returns when it speaks unasked, as soon as the session has nothing else to do.
   *
   * @return a time; {@link Long#MAX_VALUE} for never
   */
  default long due() {
    return Long.MAX_VALUE;
  }

  /**
   * Speaks unasked. No mask sees it.
   *
   * @param now the time, not before {@link #due}
   * @return the messages to send
   */
  default List<Message> speaks(long now) {
    return List.of();
  }
}
