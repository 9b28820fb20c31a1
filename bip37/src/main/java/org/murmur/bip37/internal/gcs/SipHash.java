package org.murmur.bip37.internal.gcs;

import org.murmur.bip37.bytes.LittleEndian;

/**
 * SipHash-2-4 (Aumasson and Bernstein 2012): a keyed hash of 64 bits. An attacker without the key
 * cannot search for collisions. Immutable.
 *
 * @param k0 the first half of the key, as a little-endian number
 */
public record SipHash(long k0, long k1) {

  /** Hashes an array. */
  public long hash(byte[] data) {
    long[] words = words(data);
    return hash(words, 0, words.length);
  }

  /** Hashes the words of one message. */
  long hash(long[] words, int from, int to) {
    long v0 = k0 ^ 0x736f6d6570736575L;
    long v1 = k1 ^ 0x646f72616e646f6dL;
    long v2 = k0 ^ 0x6c7967656e657261L;
    long v3 = k1 ^ 0x7465646279746573L;
    for (int at = from; at < to; at++) {
      long word = words[at];
      v3 ^= word;
      for (int round = 0; round < 2; round++) {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= word;
    }
    v2 ^= 0xff;
    for (int round = 0; round < 4; round++) {
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /**
   * The blocks that make up a message: its bytes by eights, then the remaining ones with the length
   * on top.
   */
  static long[] words(byte[] data) {
    int whole = data.length / 8;
    long[] words = new long[whole + 1];
    for (int i = 0; i < whole; i++) {
      words[i] = LittleEndian.int64(data, 8 * i);
    }
    words[whole] = (long) data.length << 56;
    for (int i = 8 * whole; i < data.length; i++) {
      words[whole] |= (data[i] & 0xffL) << (8 * (i & 7));
    }
    return words;
  }
}
