package org.murmur.p2p.dial;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.peers.Effects;

/**
 * When the table is checked for a peer to call. A look costs the more the more addresses are known,
 * and the machine asks after every message.
 */
final class Looks {

  /** Between two looks if nothing happens. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  private final Effects effects;
  // Something happened that may change whom to call.
  private boolean atOnce = true;
  // The same, but the next look is soon enough, or gossip could keep us looking.
  private boolean soon;
  private Instant nextAt = Instant.EPOCH;
  private long count;

  Looks(Effects effects) {
    this.effects = effects;
  }

  void atOnce() {
    atOnce = true;
  }

  void soon() {
    soon = true;
  }

  /** Whether something happened since the last look. */
  boolean isNews() {
    return atOnce || soon;
  }

  boolean isDue() {
    return atOnce || !effects.now().isBefore(nextAt);
  }

  void begin() {
    atOnce = false;
    soon = false;
    count++;
    nextAt = effects.now().plus(PAUSE);
  }

  /** When to look for the sake of what happened, or null. */
  @Nullable Instant due() {
    // What happened after the last look of this step: nothing else may ever happen.
    Instant next = atOnce ? effects.now().plus(PAUSE) : null;
    return soon ? earlier(next, nextAt) : next;
  }

  /** How many looks there were. */
  long count() {
    return count;
  }

  /** The earlier of two times; null stands for never. */
  static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return b.isBefore(a) ? b : a;
  }
}
