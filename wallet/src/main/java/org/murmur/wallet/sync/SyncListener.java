package org.murmur.wallet.sync;

/**
 * Hears what happens during a sync. Called on the thread that called {@code sync} or on the one
 * that writes, one call at a time; what it hears of payments is on disk already. Must not block,
 * and must not call {@code sync} or {@code close}; reading the wallet is fine.
 */
@FunctionalInterface
public interface SyncListener {

  /** Hears nothing. */
  SyncListener NONE = event -> {};

  /**
   * Something happened.
   *
   * @param event what
   */
  void onEvent(WalletEvent event);
}
