package org.murmur.coins.spend;

import java.util.List;

/** Random draws. They decide which output is change, so the seed of a payment must be secret. */
public interface Draws {

  /**
   * Draws a number.
   *
   * @param bound more than 0
   * @return uniform from 0 to {@code bound - 1}
   */
  int below(int bound);

  /**
   * Makes draws that repeat with the seed (the generator SplitMix64).
   *
   * @param seed from a secure source, unless in a test
   * @return draws with their own state; not thread safe
   */
  static Draws ofSeed(long seed) {
    return new Draws() {
      private long state = seed;

      @Override
      public int below(int bound) {
        // 64 bits for at most 31: the bias is below 2^-33.
        return (int) Long.remainderUnsigned(next(), bound);
      }

      private long next() {
        state += 0x9e3779b97f4a7c15L;
        long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
      }
    };
  }

  /**
   * Shuffles a list in place; each order is equally likely.
   *
   * @param list a modifiable list
   * @param <T> what it holds
   */
  default <T> void shuffle(List<T> list) {
    for (int i = list.size(); i > 1; i--) {
      int j = below(i);
      T last = list.get(i - 1);
      list.set(i - 1, list.get(j));
      list.set(j, last);
    }
  }
}
