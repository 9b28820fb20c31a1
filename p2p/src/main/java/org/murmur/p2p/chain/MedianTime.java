package org.murmur.p2p.chain;

/**
 * The median time past: the median of the times of the last eleven headers, kept up to date header
 * by header. With an even number of headers, near genesis, the later one of the two in the middle.
 */
final class MedianTime {

  /** How many headers (Core's nMedianTimeSpan). */
  static final int SPAN = 11;

  private final long[] ring = new long[SPAN];
  private final long[] sorted = new long[SPAN];
  private int count;
  private int oldest;

  /** Starts with the times up to and including a height. */
  void begin(Ancestors branch, int height) {
    count = 0;
    oldest = 0;
    for (int h = Math.max(0, height - SPAN + 1); h <= height; h++) {
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

  long median() {
    return sorted[count / 2];
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
