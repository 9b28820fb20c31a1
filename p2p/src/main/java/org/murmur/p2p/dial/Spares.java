package org.murmur.p2p.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.peers.Effects;
import org.murmur.p2p.sync.SyncSettings;

/**
 * Spare scanners for the time when a peer goes. One untested address at a time is called by a
 * feeler, to see who is there.
 */
final class Spares {

  /** With so many a one-off sync needs no more. */
  private static final int ENOUGH = 6;

  /** Feelers of a one-off sync. */
  private static final int MAX_FEELERS = 6;

  /** Between two feelers of a session that follows (Core's FEELER_INTERVAL). */
  static final Duration PAUSE = Duration.ofMinutes(2);

  private final Effects effects;
  private final SyncSettings settings;
  private final FoundPeers found;
  private final Feelers feelers;
  private final Candidates candidates;
  private final Search search;
  private int sent;
  private Instant nextAt = Instant.EPOCH;

  Spares(
      Effects effects,
      SyncSettings settings,
      FoundPeers found,
      Feelers feelers,
      Candidates candidates,
      Search search) {
    this.effects = effects;
    this.settings = settings;
    this.found = found;
    this.feelers = feelers;
    this.candidates = candidates;
    this.search = search;
  }

  /** Calls the next untested address, if it is time. */
  void test() {
    boolean quiet = found.missingScanners() <= 0 && feelers.count() == 0;
    if (settings.headersOnly() || !quiet || effects.now().isBefore(nextAt) || areEnough()) {
      return;
    }
    Optional<Endpoint> drawn = candidates.draw(candidates::untested);
    if (drawn.isPresent()) {
      sent++;
      nextAt = settings.follow() ? effects.now().plus(PAUSE) : effects.now();
      search.ask(drawn.get());
    }
  }

  private boolean areEnough() {
    return !settings.follow() && (sent >= MAX_FEELERS || candidates.spare() >= ENOUGH);
  }
}
