package org.murmur.regtest.chain;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * Numbers drawn from a seed: SplitMix64, the same on every platform and Java version. Not for
 * secrets. For one thread.
 */
public final class Dice {

  private static final long STEP = 0x9e3779b97f4a7c15L;

  private long state;

  /**
   * Begins a sequence.
   *
   * @param seed determines the whole sequence
   */
  public Dice(long seed) {
    this.state = seed;
  }

  /**
   * Returns a number that depends on a seed and a hash alone.
   *
   * @param seed of the draw
   * @param hash of what it is drawn for
   * @return from 0 up to, not including, 1
   */
  public static double share(long seed, Hash256 hash) {
    byte[] bytes = hash.toInternal();
    return new Dice(seed ^ LittleEndian.int64(bytes, 8)).fraction();
  }

  /**
   * Draws any number.
   *
   * @return 64 bits
   */
  public long number() {
    state += STEP;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /**
   * Draws a number below a bound.
   *
   * @param bound at least 1
   * @return from 0 up to, not including, the bound
   */
  public int below(int bound) {
    return (int) Long.remainderUnsigned(number(), bound);
  }

  /**
   * Draws a number below a bound.
   *
   * @param bound at least 1
   * @return from 0 up to, not including, the bound
   */
  public long below(long bound) {
    return Long.remainderUnsigned(number(), bound);
  }

  /**
   * Draws a number of a range.
   *
   * @param from the lowest
   * @param to the highest
   * @return one of them
   */
  public int between(int from, int to) {
    return from + below(to - from + 1);
  }

  /**
   * Draws a fraction.
   *
   * @return from 0 up to, not including, 1
   */
  public double fraction() {
    return (number() >>> 11) * 0x1.0p-53;
  }

  /**
   * Draws a yes or a no.
   *
   * @param probability 0 for never, 1 for always
   * @return whether it happens
   */
  public boolean chance(double probability) {
    return fraction() < probability;
  }

  /**
   * Draws bytes.
   *
   * @param length how many
   * @return the bytes
   */
  public Bytes bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i += 8) {
      long word = number();
      for (int j = i; j < Math.min(length, i + 8); j++) {
        bytes[j] = (byte) word;
        word >>>= 8;
      }
    }
    return Bytes.wrap(bytes);
  }
}
