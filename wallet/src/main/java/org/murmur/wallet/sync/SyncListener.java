package org.murmur.wallet.sync;

import org.murmur.p2p.sync.SyncEvent;

/**
 * Receives the events of a session, in order. Payments are on disk before their events. Reading the
 * wallet is fine.
 *
 * <p>Given to {@code sync}, or to another call that waits for a session: it is called on a thread
 * of its own, one call at a time. The session does not wait for it, unless a thousand events wait;
 * of {@link SyncEvent.Progress} only the last one does. It must not call {@code sync}, {@code
 * close} or what pays. An exception of it ends the session, and comes out of it.
 *
 * <p>Given to {@code start}: the executor calls it, and the session never waits. An exception of it
 * is the executor's. Given to what only writes, such as {@code sign}: the caller's thread calls it.
 */
@FunctionalInterface
public interface SyncListener {

  /** Ignores all events. */
  SyncListener NONE = event -> {};

  /**
   * An event.
   *
   * @param event what happened
   */
  void onEvent(SyncEvent event);
}
