package org.murmur.p2p.internal.machine;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.internal.scan.ScanPlan;
import org.murmur.p2p.sync.SyncEvent;

/** Reports a session's progress: not too often, but at once when all is seen. */
final class Progress extends Part<PoolPeer> {

  /** Progress is reported at most this often. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Parts parts;
  private final ScanPlan plan;
  private Instant reportedAt = Instant.EPOCH;
  private boolean news;

  Progress(Parts parts, PresetParts preset) {
    super(parts);
    this.parts = parts;
    this.plan = preset.plan();
  }

  /** All is seen: the next report does not wait. */
  void isNews() {
    news = true;
  }

  void report() {
    boolean early = !news && effects.now().isBefore(reportedAt.plus(PAUSE));
    news = false;
    if (early) {
      return;
    }
    Optional<SyncEvent.Search> search = parts.dialer.search();
    if (roster.isEmpty() && !search.isPresent()) {
      return;
    }
    reportedAt = effects.now();
    effects.emit(
        new SyncEvent.Progress(
            chain.height(),
            parts.headers.target(),
            parts.scanned.blocks(),
            Math.toIntExact(plan.left()),
            effects.bytesReceived(),
            effects.elapsed(),
            search));
  }
}
