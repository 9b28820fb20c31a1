package org.murmur.p2p.scan;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.cover.Heights;

/**
 * The blocks that one peer passed over in silence, and when it is asked for them again. State only.
 */
final class PassedOver {

  private final Heights heights = new Heights();
  private @Nullable Instant askAgainAt;
  // How often it passed blocks over since it last served one.
  private int times;
  // How often a guard was asked again, from the grid on, for these blocks; and the last of them.
  private int rounds;
  private int askedAgainFor = -1;
  // How often it passed over blocks that it has, less one for each minute since.
  private double withheld;
  private @Nullable Instant withheldAt;

  boolean isEmpty() {
    return heights.isEmpty();
  }

  /** The lowest height of them; there must be one. */
  int first() {
    return heights.first();
  }

  /** The heights without those of them; changes the argument. */
  Heights without(Heights all) {
    return all.removeAll(heights);
  }

  /** How often it passed blocks over since it last served one. */
  int times() {
    return times;
  }

  /** How often it passed them over, or was asked for them again in vain. */
  int rounds() {
    return Math.max(times, rounds);
  }

  /** It passed over blocks. */
  void add(int from, int to) {
    heights.add(from, to);
    times++;
  }

  /** A block is to be asked for again, and the peer is not to blame. */
  void putOff(int height) {
    heights.add(height, height);
  }

  /** They are asked for again at a time. */
  void askAgainAt(Instant at) {
    askAgainAt = at;
  }

  /** When they are asked for again, or null. */
  @Nullable Instant askAgainAt() {
    return askAgainAt;
  }

  /** Whether it is time to ask for them again. */
  boolean isDue(Instant now) {
    return askAgainAt != null && !now.isBefore(askAgainAt);
  }

  /** They are asked for again at once, if they are to be asked for again at all. */
  void hurry(Instant now) {
    if (askAgainAt != null) {
      askAgainAt = now;
    }
  }

  /** They are asked for again: they count as any other blocks. */
  void clear() {
    askAgainAt = null;
    heights.remove(0, Integer.MAX_VALUE - 1);
  }

  /** They are asked for again, and all blocks from the grid on. */
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

  /** It did not have them: nothing is held against it. */
  void forgive() {
    times = 0;
    rounds = 0;
  }

  /** It passed over blocks that it has. */
  void withheld(Instant now) {
    withheld = withheldLately(now) + 1;
    withheldAt = now;
  }

  /** How often it passed over blocks that it has, less one for each minute since. */
  double withheldLately(Instant now) {
    Instant last = withheldAt;
    return last == null
        ? 0
        : Math.max(0, withheld - Duration.between(last, now).toMillis() / 60_000.0);
  }
}
