package org.murmur.p2p.internal.sync;

import java.time.Instant;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Encryption;
import org.murmur.p2p.sync.SyncEvent;

/** An action that the machine requests. It has no other outputs. */
public sealed interface Output {

  /**
   * Open a connection.
   *
   * @param encryption whether it is encrypted; with {@link Encryption#PREFER} the shell connects
   *     once more if the peer does not encrypt
   */
  record Connect(Link link, Encryption encryption) implements Output {

    /** A connection in the clear. */
    public Connect(Link link) {
      this(link, Encryption.OFF);
    }
  }

  /**
   * Look a name up, then report it by {@link Input.LookedUp} or {@link Input.LookUpFailed}. Never
   * requested with a proxy.
   *
   * @param port of the addresses in the answer
   */
  record LookUp(String name, int port) implements Output {}

  /** Send a message. */
  record Send(Link link, Message message) implements Output {}

  /** Close a connection after all earlier messages have gone out; no input follows from it. */
  record Disconnect(Link link, DisconnectReason reason, String detail) implements Output {}

  /** Send a tick at this time or soon after; replaces the time requested before. */
  record WakeAt(Instant at) implements Output {}

  /**
   * Write a batch, then report it by {@link Input.Committed}. At most one is in progress at a time.
   */
  record Commit(CommitBatch batch) implements Output {}

  /** Report an event to the user. */
  record Emit(SyncEvent event) implements Output {}
}
