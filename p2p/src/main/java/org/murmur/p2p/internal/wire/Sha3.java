package org.murmur.p2p.internal.wire;

import org.murmur.bip37.bytes.LittleEndian;

/** SHA3-256 (FIPS 202), for the checksum of onion addresses: the JDK has it, Android 8 does not. */
final class Sha3 {

  static final int DIGEST_LENGTH = 32;

  private static final int WORD = 8;
  private static final int WORDS = 25;

  /** Bytes absorbed between two permutations: 200 minus twice the digest length. */
  private static final int RATE = WORDS * WORD - 2 * DIGEST_LENGTH;

  /** The two domain bits of SHA-3, and the first bit of the padding. */
  private static final int SUFFIX = 0x06;

  private static final int LAST_BIT = 0x80;
  private static final int ROUNDS = 24;

  /** The rotations of rho, in the order in which pi visits the words (FIPS 202, 3.2.2, 3.2.3). */
  private static final int[] ROTATIONS = {
    1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44
  };

  /** The cycle of pi from word 1: each entry is the index of the next word, 5y + x. */
  private static final int[] VISITS = {
    10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1
  };

  private static final long[] ROUND_CONSTANTS = roundConstants();

  private Sha3() {}

  /** Hashes a message. */
  static byte[] digest(byte[] message) {
    long[] state = new long[WORDS];
    int at = 0;
    for (; message.length - at >= RATE; at += RATE) {
      absorb(state, message, at);
    }
    byte[] last = new byte[RATE];
    System.arraycopy(message, at, last, 0, message.length - at);
    last[message.length - at] = SUFFIX;
    last[RATE - 1] |= (byte) LAST_BIT;
    absorb(state, last, 0);
    byte[] digest = new byte[DIGEST_LENGTH];
    for (int i = 0; i < DIGEST_LENGTH / WORD; i++) {
      LittleEndian.putInt64(digest, i * WORD, state[i]);
    }
    return digest;
  }

  private static void absorb(long[] state, byte[] block, int from) {
    for (int i = 0; i < RATE / WORD; i++) {
      state[i] ^= LittleEndian.int64(block, from + i * WORD);
    }
    permute(state);
  }

  private static void permute(long[] a) {
    long[] c = new long[5];
    for (int round = 0; round < ROUNDS; round++) {
      // theta
      for (int x = 0; x < 5; x++) {
        c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
      }
      for (int x = 0; x < 5; x++) {
        long d = c[(x + 4) % 5] ^ Long.rotateLeft(c[(x + 1) % 5], 1);
        for (int y = 0; y < WORDS; y += 5) {
          a[y + x] ^= d;
        }
      }
      // rho and pi
      long moved = a[1];
      for (int i = 0; i < ROTATIONS.length; i++) {
        long next = a[VISITS[i]];
        a[VISITS[i]] = Long.rotateLeft(moved, ROTATIONS[i]);
        moved = next;
      }
      // chi
      for (int y = 0; y < WORDS; y += 5) {
        System.arraycopy(a, y, c, 0, 5);
        for (int x = 0; x < 5; x++) {
          a[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
        }
      }
      // iota
      a[0] ^= ROUND_CONSTANTS[round];
    }
  }

  /** The bits of a shift register, seven a round (FIPS 202, 3.2.5). */
  private static long[] roundConstants() {
    long[] constants = new long[ROUNDS];
    int register = 1;
    for (int round = 0; round < ROUNDS; round++) {
      for (int j = 0; j < 7; j++) {
        if ((register & 1) != 0) {
          constants[round] |= 1L << ((1 << j) - 1);
        }
        register <<= 1;
        if ((register & 0x100) != 0) {
          register ^= 0x171;
        }
      }
    }
    return constants;
  }
}
