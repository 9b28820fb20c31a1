package org.murmur.p2p.sync;

import java.time.Instant;
import org.murmur.p2p.wire.Message;

/** What the machine wants done. Nothing else leaves it. */
public sealed interface Output {

  /**
   * Open a connection.
   *
   * @param link its new id and the address
   */
  record Connect(Link link) implements Output {}

  /**
   * Look a name up, then say so by {@link Input.LookedUp} or {@link Input.LookUpFailed}. Never
   * asked for beside a proxy.
   *
   * @param name a host's
   * @param port of the addresses in the answer
   */
  record LookUp(String name, int port) implements Output {}

  /**
   * Send a message.
   *
   * @param link to whom
   * @param message what
   */
  record Send(Link link, Message message) implements Output {}

  /**
   * Close a connection, after what was sent before has gone out; no input follows from it.
   *
   * @param link which
   * @param reason why
   * @param detail for people
   */
  record Disconnect(Link link, DisconnectReason reason, String detail) implements Output {}

  /**
   * Send a tick at this time, or soon after; replaces the time asked for before.
   *
   * @param at when
   */
  record WakeAt(Instant at) implements Output {}

  /**
   * Write a batch, then say so by {@link Input.Committed}. At most one is out at a time.
   *
   * @param batch what
   */
  record Commit(CommitBatch batch) implements Output {}

  /**
   * Tell the user.
   *
   * @param event what
   */
  record Emit(SyncEvent event) implements Output {}
}
