package org.murmur.regtest.world;

import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.wire.Message;

/** What a preset asks of every message, over all processes of a client. */
interface Rules {

  /** Nothing. */
  Rules NONE = new Rules() {};

  /** A batch is on disk. */
  default void written(CommitBatch batch) {}

  /** The client says something. */
  default void sent(Talk line, Message message) {}

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
