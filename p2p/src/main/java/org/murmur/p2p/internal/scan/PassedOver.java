package org.murmur.p2p.internal.scan;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.cover.Heights;

/** The blocks that one peer skipped silently, and when to request them again. State only. */
final class PassedOver {

  private final Heights heights = new Heights();
  private @Nullable Instant askAgainAt;
  // How often it skipped blocks since it last served one.
  private int times;
  // How often a guard was asked again, from the grid on, for these blocks; and the last of them.
  private int rounds;
  private int askedAgainFor = -1;
  // How often it skipped blocks that it has, less one for each minute since.
  private double withheld;
  private @Nullable Instant withheldAt;

  boolean isEmpty() {
    return heights.isEmpty();
  }

  /** The lowest height of them; there must be one. */
  int first() {
    return heights.first();
  }

  /** Removes the skipped heights from the argument, and returns it. */
  Heights without(Heights all) {
    return all.removeAll(heights);
  }

  /** How often it skipped blocks since it last served one. */
  int times() {
    return times;
  }

  /** How often it skipped them, or a new request for them failed. */
  int rounds() {
    return Math.max(times, rounds);
  }

  /** It skipped blocks. */
  void add(int from, int to) {
    heights.add(from, to);
    times++;
  }

  /** A block is to be requested again, and the peer is not at fault. */
  void putOff(int height) {
    heights.add(height, height);
  }

  /** Schedules their next request. */
  void askAgainAt(Instant at) {
    askAgainAt = at;
  }

  /** When they are requested again, or null. */
  @Nullable Instant askAgainAt() {
    return askAgainAt;
  }

  /** Whether their next request is due. */
  boolean isDue(Instant now) {
    return askAgainAt != null && !now.isBefore(askAgainAt);
  }

  /** Requests them again at once, if that was scheduled. */
  void hurry(Instant now) {
    if (askAgainAt != null) {
      askAgainAt = now;
    }
  }

  /** They are requested again: they count as any other blocks. */
  void clear() {
    askAgainAt = null;
    heights.remove(0, Integer.MAX_VALUE - 1);
  }

  /** They are requested again, with all blocks from the grid on. */
  void beginRound() {
    rounds++;
    askedAgainFor = heights.last();
    clear();
  }

  /** Blocks above a height left the chain. */
  void cutAbove(int height) {
    heights.remove(height + 1, Integer.MAX_VALUE - 1);
    if (heights.isEmpty()) {
      askAgainAt = null;
    }
  }

  /** It served a block. */
  void served(int height) {
    times = 0;
    if (height == askedAgainFor && heights.isEmpty()) {
      rounds = 0;
    }
  }

  /** It did not have them, so it is not at fault. */
  void forgive() {
    times = 0;
    rounds = 0;
  }

  /** It skipped blocks that it has. */
  void withheld(Instant now) {
    withheld = withheldLately(now) + 1;
    withheldAt = now;
  }

  /** How often it skipped blocks that it has, less one for each minute since. */
  double withheldLately(Instant now) {
    Instant last = withheldAt;
    return last == null
        ? 0
        : Math.max(0, withheld - Duration.between(last, now).toMillis() / 60_000.0);
  }
}
