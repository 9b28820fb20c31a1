package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether this machine's clock is behind, by what peers say. Headers of the future are left out,
 * and a chain that ends where the clock says so is not complete.
 *
 * <p>One peer can make such headers up, so it takes more than half of those that are there and have
 * told their chain.
 */
final class ClockCheck {

  /** The last second that a header can be of: its field has 32 bits. */
  private static final long LATEST = 0xffff_ffffL;

  private ClockCheck() {}

  /**
   * Returns by how much a peer's clock is ahead of ours.
   *
   * @param theirs seconds since 1970 as it says, which can be anything
   */
  static Duration ahead(long theirs, Instant ours) {
    long sane = Math.max(0, Math.min(LATEST, theirs));
    return Duration.ofSeconds(sane - ours.getEpochSecond());
  }

  /**
   * Returns by how much the clock is behind, if it seems to be.
   *
   * @return what those peers say the time is, or at least what their headers show; empty if the
   *     clock seems right
   */
  static Optional<Duration> behind(Session session) {
    int told = 0;
    Duration least = Duration.ZERO;
    List<Duration> said = new ArrayList<>();
    for (Peer peer : session.peers.values()) {
      if (!peer.isReady() || !peer.headersDone) {
        continue;
      }
      told++;
      Duration behind = peer.talk.behind;
      if (behind != null) {
        said.add(peer.ahead);
        least = behind.compareTo(least) > 0 ? behind : least;
      }
    }
    if (2 * said.size() <= told) {
      return Optional.empty();
    }
    said.sort(Duration::compareTo);
    Duration median = said.get(said.size() / 2);
    return Optional.of(median.compareTo(least) > 0 ? median : least);
  }
}
