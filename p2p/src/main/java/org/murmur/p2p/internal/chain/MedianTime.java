package org.murmur.p2p.internal.chain;

/**
 * The median time past: the median of the last eleven header times, updated per header. For an even
 * number of headers, near genesis, it is the later of the two middle ones.
 *
 * <p>Above a base that is not genesis, some of the eleven are unknown, the base's own among them.
 * Then it is the lowest possible median: a time that is not above it is not above any possible
 * median.
 */
final class MedianTime {

  /** Number of headers (Core's nMedianTimeSpan). */
  static final int SPAN = 11;

  private final long[] ring = new long[SPAN];
  private final long[] sorted = new long[SPAN];
  private int count;
  private int oldest;

  /** Whether there are unknown headers below. */
  private boolean openBelow;

  /** Starts with the times up to and including a height. */
  void begin(Ancestors branch, int height) {
    count = 0;
    oldest = 0;
    openBelow = branch.lowest() > 0;
    int known = openBelow ? branch.lowest() + 1 : 0;
    for (int h = Math.max(known, height - SPAN + 1); h <= height; h++) {
      add(branch.time(h));
    }
  }

  void add(long time) {
    if (count == SPAN) {
      remove(ring[oldest]);
      ring[oldest] = time;
      oldest = oldest + 1 == SPAN ? 0 : oldest + 1;
    } else {
      ring[count] = time;
    }
    int i = count++;
    while (i > 0 && sorted[i - 1] > time) {
      sorted[i] = sorted[i - 1];
      i--;
    }
    sorted[i] = time;
  }

  /** The lowest possible median; -1 if nothing is known. */
  long median() {
    int unknown = openBelow ? SPAN - count : 0;
    int middle = (count + unknown) / 2 - unknown; // the unknown ones may all be earlier
    return middle < 0 ? -1 : sorted[middle];
  }

  private void remove(long time) {
    int i = 0;
    while (sorted[i] != time) {
      i++;
    }
    count--;
    System.arraycopy(sorted, i + 1, sorted, i, count - i);
  }
}
