package org.murmur.p2p.internal.v2;

/** The caller's source of randomness for keys and garbage; it must be unpredictable. */
@FunctionalInterface
public interface Dice {

  /** Fills an array with random bytes. */
  void fill(byte[] bytes);

  /** Draws a number from 0 to below a power of two of at most 65,536. */
  default int below(int powerOfTwo) {
    byte[] bytes = new byte[2];
    fill(bytes);
    return (((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff)) & (powerOfTwo - 1);
  }
}
