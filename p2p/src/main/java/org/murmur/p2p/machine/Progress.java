package org.murmur.p2p.machine;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.sync.SyncEvent;

/**
 * Tells how far a session has come, not too often, and at once when it has said that all is seen.
 */
final class Progress {

  /** Progress is told at most this often. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Parts parts;
  private final Ending ending;
  private Instant toldAt = Instant.EPOCH;
  // How it was last said that all is seen.
  private @Nullable SyncEvent end;

  Progress(Parts parts, Ending ending) {
    this.parts = parts;
    this.ending = ending;
  }

  void tell() {
    boolean news = !Objects.equals(end, ending.told());
    end = ending.told();
    if ((!news && parts.effects.now().isBefore(toldAt.plus(PAUSE))) || parts.roster.isEmpty()) {
      return;
    }
    toldAt = parts.effects.now();
    int left =
        parts.settings.headersOnly() ? 0 : Math.toIntExact(parts.plan.left()) + parts.scan.owed();
    parts.effects.emit(
        new SyncEvent.Progress(
            parts.chain.height(),
            parts.headers.target(),
            parts.scanned.blocks(),
            left,
            parts.effects.bytesReceived()));
  }
}
