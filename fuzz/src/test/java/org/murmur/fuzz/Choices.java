package org.murmur.fuzz;

import java.util.SplittableRandom;

/** Where the decisions of a mutated sequence come from. Zero is what honest peers would do. */
interface Choices {

  /** Draws from 0 up to, not including, a bound; 0 for ever when there is nothing left. */
  int below(int bound);

  /** Draws what to do next: mostly 0, else below the bound. */
  int action(int bound);

  boolean isOver();

  /** Takes them from bytes, one each. */
  static Choices of(byte[] bytes) {
    return new Choices() {
      private int at;

      @Override
      public int below(int bound) {
        return at < bytes.length ? (bytes[at++] & 0xff) % bound : 0;
      }

      @Override
      public int action(int bound) {
        int drawn = at < bytes.length ? bytes[at++] & 0xff : 0;
        return drawn < bound ? drawn : 0;
      }

      @Override
      public boolean isOver() {
        return at >= bytes.length;
      }
    };
  }

  /** Draws them; after so many actions there are none left. */
  static Choices of(SplittableRandom random, double mutated, int actions) {
    return new Choices() {
      private int left = actions;

      @Override
      public int below(int bound) {
        return left > 0 ? random.nextInt(bound) : 0;
      }

      @Override
      public int action(int bound) {
        if (left <= 0) {
          return 0;
        }
        left--;
        return random.nextDouble() < mutated ? random.nextInt(bound) : 0;
      }

      @Override
      public boolean isOver() {
        return left <= 0;
      }
    };
  }
}
