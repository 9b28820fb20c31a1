package org.murmur.regtest.hostile;

import java.util.List;
import org.murmur.p2p.wire.Message;

/**
 * The deeds of a hostile peer on one connection in addition to its {@link
 * org.murmur.regtest.node.Behaviour}. It stands between the client and the session of an embedded
 * node. For one thread.
 */
public interface Mask {

  /** Changes nothing. */
  Mask NONE = new Mask() {};

  /**
   * Decides whether the session gets a message.
   *
   * @param message from the client
   * @return false to drop it
   */
  default boolean hears(Message message) {
    return true;
  }

  /**
   * Adds messages after the session's answer.
   *
   * @param message from the client
   * @return the messages to send
   */
  default List<Message> answers(Message message) {
    return List.of();
  }

  /**
   * Replaces a message of the session.
   *
   * @param message to the client
   * @return what is sent instead
   */
  default List<Message> says(Message message) {
    return List.of(message);
  }
}
