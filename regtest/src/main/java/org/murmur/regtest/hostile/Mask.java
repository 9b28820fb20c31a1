package org.murmur.regtest.hostile;

import java.util.List;
import org.murmur.p2p.wire.Message;

/**
 * What one connection of a hostile peer does besides its {@link org.murmur.regtest.node.Behaviour}:
 * it stands between the client and the session of an embedded node. For one thread.
 */
public interface Mask {

  /** Changes nothing. */
  Mask NONE = new Mask() {};

  /**
   * Decides whether the session hears a message.
   *
   * @param message from the client
   * @return false to drop it
   */
  default boolean hears(Message message) {
    return true;
  }

  /**
   * Answers by itself, behind what the session answers.
   *
   * @param message from the client
   * @return what is sent
   */
  default List<Message> answers(Message message) {
    return List.of();
  }

  /**
   * Replaces what the session says.
   *
   * @param message to the client
   * @return what is sent instead
   */
  default List<Message> says(Message message) {
    return List.of(message);
  }
}
