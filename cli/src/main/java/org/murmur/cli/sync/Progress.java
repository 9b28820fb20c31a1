package org.murmur.cli.sync;

import org.murmur.p2p.sync.SyncEvent;

/** Shows the progress of a sync. */
interface Progress extends AutoCloseable {

  /** Shows no progress. */
  Progress SILENT =
      new Progress() {
        @Override
        public void update(SyncEvent.Progress now) {}

        @Override
        public void close() {}
      };

  void update(SyncEvent.Progress now);

  @Override
  void close();
}
