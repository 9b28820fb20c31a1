package org.murmur.regtest.world.judge;

import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.wire.Message;
import org.murmur.regtest.world.network.ConversationLog;

/** What a preset asks of every message, over all processes of a client. */
public interface MessageRules {

  /** Nothing. */
  MessageRules NONE = new MessageRules() {};

  /** A batch is on disk. */
  default void written(CommitBatch batch) {}

  /** The client says something. */
  default void sent(ConversationLog line, Message message) {}

  /** The user gives a guard up. */
  default void dismissed(PeerAddress guard) {}

  /** Whether a peer guards, or did once. */
  default boolean wasShownAnything(PeerAddress peer) {
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
