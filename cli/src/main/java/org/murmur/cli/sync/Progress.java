package org.murmur.cli.sync;

import org.murmur.wallet.sync.WalletEvent;

/** Shows the progress of a sync. */
interface Progress extends AutoCloseable {

  /** Shows no progress. */
  Progress SILENT =
      new Progress() {
        @Override
        public void update(WalletEvent.Progress now) {}

        @Override
        public void close() {}
      };

  void update(WalletEvent.Progress now);

  @Override
  void close();
}
