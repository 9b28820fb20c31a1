package org.murmur.testbed.world.judge;

import java.time.Instant;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.network.ConversationLog;

/** A preset's rules for every message, over all processes of a client. */
public interface MessageRules {

  /** No rules. */
  MessageRules NONE = new MessageRules() {};

  /** Whether the client fetches all that peers announce, without a filter at any of them. */
  default boolean hearsAll() {
    return false;
  }

  /** A process begins with a wallet, after one that ended or crashed. */
  default void begins(Holdings holdings) {}

  /** A process crashed: what it had not written is lost. */
  default void lost() {}

  /** A batch is on disk. */
  default void written(CommitBatch batch) {}

  /** The client sends a message. */
  default void sent(ConversationLog line, Message message) {}

  /** A message has reached the client. */
  default void received(ConversationLog line, Message message, Instant now) {}

  /** The client has taken a message, and its connection stands. */
  default void answered(ConversationLog line) {}

  /** The client ends a connection. */
  default void dropped(ConversationLog line, DisconnectReason reason, String detail) {}

  /** The user gives a guard up. */
  default void dismissed(NodeAddress guard) {}

  /** Whether a peer is or was a guard. */
  default boolean wasShownAnything(NodeAddress peer) {
    return false;
  }

  /** How many guards the user gave up. */
  default int guardsReplaced() {
    return 0;
  }

  /** How many filters of scripts there were. */
  default int scriptEpochs() {
    return 0;
  }
}
