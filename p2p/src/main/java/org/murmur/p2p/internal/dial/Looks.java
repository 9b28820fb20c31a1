package org.murmur.p2p.internal.dial;

import java.time.Duration;
import java.time.Instant;
import org.murmur.p2p.internal.peers.Alarm;
import org.murmur.p2p.internal.peers.Effects;

/**
 * Decides when the address table is searched for a peer to call. The machine asks after every
 * message, and a search of a large table is slow.
 */
final class Looks implements Alarm.Timed {

  /** Pause between two searches if nothing happens. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  private final Effects effects;
  // Something happened that may change which peers to call.
  private boolean atOnce = true;
  // The same, but it can wait for the pause to end: a flood of addresses must not cause searches.
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

  /** Whether something happened since the last search. */
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

  @Override
  public void setAlarm(Alarm alarm) {
    // This happened after the search of this step, and there may be no other input.
    alarm.at(atOnce ? effects.now().plus(PAUSE) : null);
    alarm.at(soon ? nextAt : null);
  }

  /** The number of searches. */
  long count() {
    return count;
  }
}
