package org.murmur.lab.families;

import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * How three libraries derive k positions from two hashes ("double hashing") instead of k hashes.
 * The textbook formula, load^k, treats the k positions as independent. They are not. Two elements
 * with two equal hashes share all positions, and elements with related hashes share many. In an
 * array of m places the chance is about 1/m²: negligible in a large array, but not in a small one.
 *
 * <p>Written from the libraries' documentation without their code, so that a prediction from it can
 * fail.
 */
enum TwoHashes {
  /** Guava: 64-bit sums, sign bit cleared, modulo the places. */
  GUAVA {
    @Override
    int position(long first, long second, int i, int places) {
      return (int) ((first + i * second & Long.MAX_VALUE) % places);
    }
  },
  /** commons-collections: "enhanced" by a third term, the tetrahedral numbers. */
  COLLECTIONS {
    @Override
    int position(long first, long second, int i, int places) {
      long start = Long.remainderUnsigned(first, places);
      long step = Long.remainderUnsigned(second, places);
      long third = ((long) i * i * i - i) / 6;
      return (int) Math.floorMod(start - i * step + third, (long) places);
    }
  },
  /** fastfilter: 32-bit sums, scaled to the places. */
  FASTFILTER {
    @Override
    int position(long first, long second, int i, int places) {
      return (int) ((((first + i * second) & 0xffff_ffffL) * places) >>> 32);
    }
  };

  /** The number of random non-members for a prediction: ten times as many as in a usual trial. */
  private static final int STRANGERS = 1 << 20;

  /** The i-th position, from 0 on, of an element with these hashes. */
  abstract int position(long first, long second, int i, int places);

  /**
   * The chance that all positions of a non-member are set, if its two hashes are uniform and
   * independent.
   */
  double rate(BitSet set, int places, int functions, long seed) {
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
