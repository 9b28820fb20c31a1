package org.murmur.lab.families;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;
import org.murmur.bip37.bytes.Bytes;

/**
 * The accurate counting Bloom filter (Li, Huang, Zhang and Qin 2013) writes counters in levels. The
 * first level has a bit for each place, set if its counter is above 0. A query needs only this
 * level. The next level has a bit for each set bit of the level before, found by counting set bits.
 * It is set if the counter is above 1; and so on. A counter of c takes c + 1 bits, where {@link
 * CountingBloom} has four.
 *
 * <p>Here each group of 64 places has its own levels, so that a change moves few bits.
 *
 * <pre>
 *   counters    0 2 0 1 0 3
 *   level 0     0 1 0 1 0 1
 *   level 1     1 0 1          of places 1, 3 and 5
 *   level 2     0 1            of places 1 and 5
 *   level 3     0              of place 5
 * </pre>
 */
final class AccurateCounting extends PlacesFilter {

  /** A counter at this limit never decreases, like a four-bit counter at its limit. */
  private static final int LEVELS = 15;

  static final FilterFamily FAMILY =
      new FilterFamily(
          "accurate",
          FilterFamily.OURS,
          Set.of(Feature.ADD, Feature.DELETE, Feature.COUNT),
          AccurateCounting::bitsInTheory,
          BloomShape::refusal,
          FilterFamily.filling((family, plan, more) -> new AccurateCounting(family, plan)));

  private static double bitsInTheory(double rate) {
    // A bit for each place, and one for each increment of a place.
    int functions = BloomShape.functions(rate);
    return functions / BloomShape.hits(rate) + functions;
  }

  /** By level, then by group of 64 places. */
  private final long[][] levels;

  AccurateCounting(FilterFamily family, Plan plan) {
    super(family, plan, BloomShape.of(plan));
    this.levels = new long[LEVELS][(shape.places() + 63) / 64];
  }

  @Override
  boolean isSet(int place) {
    return isSet(0, place >>> 6, place & 63);
  }

  @Override
  public int count(Bytes element) {
    int least = least(element, this::counter);
    // A counter at the limit may have been higher: it must never be too low.
    return least == LEVELS ? Integer.MAX_VALUE : least;
  }

  private int counter(int place) {
    int at = place & 63;
    int level = 0;
    while (level < LEVELS && isSet(level, place >>> 6, at)) {
      at = rank(level, place >>> 6, at);
      level++;
    }
    return level;
  }

  private boolean isSet(int level, int group, int at) {
    return (levels[level][group] >>> at & 1) == 1;
  }

  /** The number of set bits below a position. */
  private int rank(int level, int group, int at) {
    return Long.bitCount(levels[level][group] & ((1L << at) - 1));
  }

  private long bitsSet(int level) {
    return Arrays.stream(levels[level]).map(Long::bitCount).sum();
  }

  @Override
  public long bits() {
    return shape.places() + IntStream.range(0, LEVELS - 1).mapToLong(this::bitsSet).sum();
  }

  @Override
  long placesSet() {
    return bitsSet(0);
  }

  @Override
  void raise(int place) {
    int group = place >>> 6;
    int at = place & 63;
    int level = 0;
    while (level < LEVELS && isSet(level, group, at)) {
      at = rank(level, group, at);
      level++;
    }
    if (level == LEVELS) {
      return;
    }
    levels[level][group] |= 1L << at;
    if (level + 1 < LEVELS) {
      int above = rank(level, group, at);
      levels[level + 1][group] = withZero(levels[level + 1][group], above);
    }
  }

  @Override
  void lower(int place) {
    int group = place >>> 6;
    int counter = counter(place);
    if (counter == 0 || counter == LEVELS) {
      return;
    }
    int at = place & 63;
    for (int level = 0; level < counter - 1; level++) {
      at = rank(level, group, at);
    }
    int above = rank(counter - 1, group, at);
    levels[counter - 1][group] &= ~(1L << at);
    levels[counter][group] = without(levels[counter][group], above);
  }

  /** Shifts the bits from a position upwards by one, and inserts a zero there. */
  private static long withZero(long bits, int at) {
    long below = (1L << at) - 1;
    return (bits & below) | ((bits & ~below) << 1);
  }

  /** Removes a bit and shifts those above it down by one. */
  private static long without(long bits, int at) {
    long below = (1L << at) - 1;
    return (bits & below) | ((bits >>> 1) & ~below);
  }
}
