package org.murmur.lab.families.filter;

import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * How three libraries make k positions of two hashes ("double hashing"), in place of k hashes. The
 * textbook's formula, load^k, takes the k positions for independent. These are not: two elements
 * whose two hashes agree share all of them, and elements whose hashes are related share many. In an
 * array of m places that has a chance of about 1/m², which a large array hides and a small one does
 * not.
 *
 * <p>Written from the libraries' documentation and free of their code, so that a prediction made of
 * it can fail.
 */
public enum TwoHashes {
  /** Guava: 64-bit sums, without their sign, modulo the places. */
  GUAVA {
    @Override
    public int position(long first, long second, int i, int places) {
      return (int) ((first + i * second & Long.MAX_VALUE) % places);
    }
  },
  /** commons-collections: "enhanced" by a third term, the tetrahedral numbers. */
  COLLECTIONS {
    @Override
    public int position(long first, long second, int i, int places) {
      long start = Long.remainderUnsigned(first, places);
      long step = Long.remainderUnsigned(second, places);
      long third = ((long) i * i * i - i) / 6;
      return (int) Math.floorMod(start - i * step + third, (long) places);
    }
  },
  /** fastfilter: 32-bit sums, scaled to the places. */
  FASTFILTER {
    @Override
    public int position(long first, long second, int i, int places) {
      return (int) ((((first + i * second) & 0xffff_ffffL) * places) >>> 32);
    }
  };

  /** Strangers that a prediction tries: ten times as many as a trial usually asks for. */
  private static final int STRANGERS = 1 << 20;

  /** The i-th position, from 0 on, of an element whose hashes are these. */
  public abstract int position(long first, long second, int i, int places);

  /**
   * The chance that all positions of a stranger are set, whose two hashes are even and independent
   * numbers.
   */
  public double rate(BitSet set, int places, int functions, long seed) {
    SplittableRandom dice = new SplittableRandom(seed);
    int hits = 0;
    for (int stranger = 0; stranger < STRANGERS; stranger++) {
      hits += covers(set, places, functions, dice.nextLong(), dice.nextLong()) ? 1 : 0;
    }
    return hits / (double) STRANGERS;
  }

  private boolean covers(BitSet set, int places, int functions, long first, long second) {
    for (int i = 0; i < functions; i++) {
      if (!set.get(position(first, second, i, places))) {
        return false;
      }
    }
    return true;
  }
}
