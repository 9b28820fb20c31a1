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
    long v0 = k0 ^ 0x736f6d6570736575L;
    long v1 = k1 ^ 0x646f72616e646f6dL;
    long v2 = k0 ^ 0x6c7967656e657261L;
    long v3 = k1 ^ 0x7465646279746573L;
    int whole = data.length & ~7;
    // The blocks of 8 bytes, then a last block of the remaining bytes with the length on top, then
    // four rounds.
    for (int at = 0; at <= whole; at += 8) {
      long word = at < whole ? LittleEndian.int64(data, at) : lastWord(data, whole);
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

  private static long lastWord(byte[] data, int from) {
    long word = (long) data.length << 56;
    for (int i = data.length - 1; i >= from; i--) {
      word |= (data[i] & 0xffL) << (8 * (i - from));
    }
    return word;
  }
}
