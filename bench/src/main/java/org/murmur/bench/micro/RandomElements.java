package org.murmur.bench.micro;

import java.util.SplittableRandom;

/** Random elements of a filter, the same in every run. */
final class RandomElements {

  /**
   * So many different elements are looked up in turn that a branch predictor cannot learn their
   * answers by heart (with 8,192 it could).
   */
  static final int LOOKED_UP = 65_536;

  private RandomElements() {}

  /** Makes random elements. */
  static byte[][] random(long seed, int count, int length) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[][] elements = new byte[count][length];
    for (byte[] element : elements) {
      random.nextBytes(element);
    }
    return elements;
  }

  /** As many elements as are looked up, all of them from the given ones. */
  static byte[][] repeated(byte[][] elements) {
    byte[][] repeated = new byte[LOOKED_UP][];
    for (int i = 0; i < repeated.length; i++) {
      repeated[i] = elements[i % elements.length];
    }
    return repeated;
  }
}
