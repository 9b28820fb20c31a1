package org.murmur.bip37;

import org.murmur.bip37.bytes.LittleEndian;

/**
 * MurmurHash3 in its 32-bit form for x86, the hash function of BIP-0037.
 *
 * <p>Each 4-byte word of the input is first mixed on its own and then folded into the state. Mixing
 * needs no seed. A filter therefore mixes the words of an element once, for all its hash functions.
 */
public final class MurmurHash3 {

  private static final int C1 = 0xcc9e2d51;
  private static final int C2 = 0x1b873593;

  private MurmurHash3() {}

  /**
   * Hashes part of an array.
   *
   * @param seed the seed
   * @param data the array
   * @param offset index of the first byte
   * @param length number of bytes
   * @return 32 bits, to be read as unsigned
   */
  public static int hash(int seed, byte[] data, int offset, int length) {
    int h = seed;
    int wordsEnd = offset + (length & ~3);
    for (int i = offset; i < wordsEnd; i += 4) {
      h = fold(h, mix(LittleEndian.int32(data, i)));
    }
    return finish(h ^ mix(tail(data, wordsEnd, length & 3)), length);
  }

  /** The seed-independent half of a round. */
  static int mix(int word) {
    return Integer.rotateLeft(word * C1, 15) * C2;
  }

  /** The seed-dependent half: folds a mixed word into the state. */
  static int fold(int h, int mixed) {
    return Integer.rotateLeft(h ^ mixed, 13) * 5 + 0xe6546b64;
  }

  /** The last step, which spreads every bit of the state over the result. */
  static int finish(int state, int length) {
    int h = state ^ length;
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }

  /** The 0 to 3 bytes after the last whole word, little-endian. */
  static int tail(byte[] data, int offset, int count) {
    int word = 0;
    for (int i = count - 1; i >= 0; i--) {
      word = word << 8 | (data[offset + i] & 0xff);
    }
    return word;
  }
}
