package org.murmur.wallet.sync;

/**
 * Receives the events of a sync. Called on the thread that called {@code sync} or on the one that
 * writes, one call at a time. Payments are on disk before their events. It must not block, and must
 * not call {@code sync} or {@code close}; reading the wallet is fine.
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
  void onEvent(WalletEvent event);
}
