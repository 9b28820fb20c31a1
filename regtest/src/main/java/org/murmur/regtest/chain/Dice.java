package org.murmur.regtest.chain;

import java.util.Arrays;
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

  public Dice(long seed) {
    this.state = seed;
  }

  /** Returns a number from 0 up to, not including, 1 that depends on a seed and a hash alone. */
  public static double share(long seed, Hash256 hash) {
    byte[] bytes = hash.toInternal();
    return new Dice(seed ^ LittleEndian.int64(bytes, 8)).fraction();
  }

  /** Draws any 64 bits. */
  public long number() {
    state += STEP;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Draws a number from 0 up to, not including, a bound of at least 1. */
  public int below(int bound) {
    return (int) Long.remainderUnsigned(number(), bound);
  }

  /** Draws a number from 0 up to, not including, a bound of at least 1. */
  public long below(long bound) {
    return Long.remainderUnsigned(number(), bound);
  }

  /** Draws a number of a range, both ends included. */
  public int between(int from, int to) {
    return from + below(to - from + 1);
  }

  /** Draws the index of one of some weights, of which only the proportions count. */
  public int weighted(int... weights) {
    int drawn = below(Arrays.stream(weights).sum());
    int index = 0;
    while (drawn >= weights[index]) {
      drawn -= weights[index++];
    }
    return index;
  }

  /** Draws a fraction from 0 up to, not including, 1. */
  public double fraction() {
    return (number() >>> 11) * 0x1.0p-53;
  }

  /** Draws a yes with a probability from 0 for never to 1 for always. */
  public boolean chance(double probability) {
    return fraction() < probability;
  }

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
