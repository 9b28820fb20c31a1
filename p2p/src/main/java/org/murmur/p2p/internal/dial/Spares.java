package org.murmur.p2p.internal.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.internal.peers.Part;
import org.murmur.p2p.internal.peers.Peer;

/**
 * Finds spare scanners for the time when a peer is lost: sends a feeler to one untested address at
 * a time.
 */
final class Spares extends Part<Peer> {

  /** A one-off sync needs no more spare scanners than this. */
  private static final int ENOUGH = 6;

  /** Maximum number of such feelers of a one-off sync. */
  private static final int MAX_FEELERS = 6;

  /** Pause between two feelers of a session that follows (Core's FEELER_INTERVAL). */
  static final Duration PAUSE = Duration.ofMinutes(2);

  private final Places places;
  private final Feelers feelers;
  private final Candidates candidates;
  private final Search search;
  private int sent;
  private Instant nextAt = Instant.EPOCH;

  Spares(Part<?> machine, Places places, Feelers feelers, Candidates candidates, Search search) {
    super(machine);
    this.places = places;
    this.feelers = feelers;
    this.candidates = candidates;
    this.search = search;
  }

  /** Sends the next feeler, if it is due. */
  void test() {
    boolean quiet = places.missingScanners() <= 0 && feelers.count() == 0;
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
