package org.murmur.wallet.sync;

import org.murmur.p2p.sync.SyncEvent;

/**
 * Receives the events of a sync. Called on a thread of its own, one call at a time and in order.
 * Payments are on disk before their events. The sync does not wait for it, unless a thousand events
 * wait; of {@link SyncEvent.Progress} only the last one does. It must not call {@code sync}, {@code
 * close} or what pays; reading the wallet is fine. An exception of it ends the sync, and comes out
 * of it.
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
