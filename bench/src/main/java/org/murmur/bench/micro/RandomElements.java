package org.murmur.bench.micro;

import java.util.SplittableRandom;

/** Random filter elements, the same in every run. */
final class RandomElements {

  /**
   * The number of elements to query in turn, too many for a branch predictor to learn their answers
   * (with 8,192 it could).
   */
  static final int LOOKED_UP = 65_536;

  private RandomElements() {}

  static byte[][] random(long seed, int count, int length) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[][] elements = new byte[count][length];
    for (byte[] element : elements) {
      random.nextBytes(element);
    }
    return elements;
  }

  /** Repeats the given elements up to the number of queries. */
  static byte[][] repeated(byte[][] elements) {
    byte[][] repeated = new byte[LOOKED_UP][];
    for (int i = 0; i < repeated.length; i++) {
      repeated[i] = elements[i % elements.length];
    }
    return repeated;
  }
}
