package org.murmur.bip37;

import java.util.Arrays;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * The bits of a filter, and the hash functions that find them. Mutable: the one in {@link
 * BloomFilter} never changes, the one in {@link ServerFilter} grows.
 *
 * <p>Function i is MurmurHash3 with the seed {@code i · 0xFBA4C795 + tweak}, modulo the number of
 * bits; bit j is the bit {@code 1 << (j & 7)} of byte {@code j >> 3} (BIP-0037).
 *
 * <p>Look-ups dominate the time of servers and measurements. So the words of an element are mixed
 * once instead of once per function, for the four usual lengths (hashes of 20 and 32 bytes,
 * compressed keys of 33, outpoints of 36). The first functions are tested in pairs: half of the
 * bits are set, so a branch after each function would be mispredicted too often. An element that
 * passes them is probably in the filter, so the rest is hashed sixteen functions at a time, in a
 * loop that the JVM vectorises. The modulus is two multiplications. Nothing is allocated.
 */
final class FilterBits {

  /** The distance between the seeds of two functions, chosen by BIP-0037. */
  private static final int SEED_STEP = 0xfba4c795;

  /** Functions that are tested in pairs, before the vectorised loop. */
  private static final int LOOKED_AT_FIRST = 4;

  /** Functions hashed at once: the number of 32-bit lanes of the widest vectors. */
  private static final int AT_ONCE = 16;

  /** Seed offsets of the functions that are hashed at once. */
  private static final int[] STEPS = steps();

  /** Scratch space of one thread for hashes or mixed words. */
  private static final ThreadLocal<int[]> HASHES = ThreadLocal.withInitial(() -> new int[AT_ONCE]);

  private final byte[] data;
  private final int hashFunctions;
  private final int tweak;
  private final long bitCount;

  // 2^64 / bitCount, rounded up.
  private final long reciprocal;

  // Cached, because code that fills a filter asks after every step.
  private int bitsSet;

  FilterBits(byte[] data, int hashFunctions, int tweak) {
    this(data, hashFunctions, tweak, countSet(data));
  }

  private FilterBits(byte[] data, int hashFunctions, int tweak, int bitsSet) {
    this.data = data;
    this.bitsSet = bitsSet;
    this.hashFunctions = hashFunctions;
    this.tweak = tweak;
    this.bitCount = 8L * data.length;
    this.reciprocal = Long.divideUnsigned(-1L, Math.max(8L, bitCount)) + 1;
  }

  private static int[] steps() {
    int[] steps = new int[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
      steps[i] = i * SEED_STEP;
    }
    return steps;
  }

  FilterBits copy() {
    return new FilterBits(data.clone(), hashFunctions, tweak, bitsSet);
  }

  /** The bytes themselves, for reading only. */
  byte[] data() {
    return data;
  }

  int bitsSet() {
    return bitsSet;
  }

  /** The share of set bits; 1 without bytes, because everything matches. */
  double load() {
    return bitCount == 0 ? 1 : bitsSet / (double) bitCount;
  }

  /** The false-positive rate. */
  double rate() {
    return Math.pow(load(), hashFunctions);
  }

  private static int countSet(byte[] data) {
    int set = 0;
    int whole = data.length & -Long.BYTES;
    for (int i = 0; i < whole; i += Long.BYTES) {
      set += Long.bitCount(LittleEndian.int64(data, i));
    }
    for (int i = whole; i < data.length; i++) {
      set += Integer.bitCount(data[i] & 0xff);
    }
    return set;
  }

  void add(byte[] source, int offset, int length) {
    if (data.length == 0) {
      return;
    }
    int words = length >> 2;
    if (words > AT_ONCE) {
      for (int i = 0; i < hashFunctions; i++) {
        set(MurmurHash3.hash(tweak + i * SEED_STEP, source, offset, length));
      }
      return;
    }
    int[] mixed = HASHES.get();
    for (int i = 0; i < words; i++) {
      mixed[i] = mixed(source, offset + 4 * i);
    }
    int end = MurmurHash3.mix(MurmurHash3.tail(source, offset + 4 * words, length & 3)) ^ length;
    for (int i = 0; i < hashFunctions; i++) {
      int h = tweak + i * SEED_STEP;
      for (int j = 0; j < words; j++) {
        h = MurmurHash3.fold(h, mixed[j]);
      }
      set(MurmurHash3.finish(h, end));
    }
  }

  private void set(int hash) {
    int at = bitOf(hash) >> 3;
    int before = data[at];
    data[at] = (byte) (before | 1 << (hash & 7));
    bitsSet += 1 - ((before >> (hash & 7)) & 1);
  }

  boolean contains(byte[] source, int offset, int length) {
    if (data.length == 0) {
      // An empty filter matches everything; Core once divided by zero here (CVE-2013-5700).
      return true;
    }
    if (hashFunctions < LOOKED_AT_FIRST) {
      return containsAny(source, offset, length);
    }
    return switch (length) {
      case 20 -> contains20(source, offset);
      case 32, 33 -> contains32(source, offset, length);
      case 36 -> contains36(source, offset);
      default -> containsAny(source, offset, length);
    };
  }

  private boolean containsAny(byte[] source, int offset, int length) {
    for (int i = 0; i < hashFunctions; i++) {
      if (bitAt(MurmurHash3.hash(tweak + i * SEED_STEP, source, offset, length)) == 0) {
        return false;
      }
    }
    return true;
  }

  private boolean contains20(byte[] source, int offset) {
    int w0 = mixed(source, offset);
    int w1 = mixed(source, offset + 4);
    int w2 = mixed(source, offset + 8);
    int w3 = mixed(source, offset + 12);
    int w4 = mixed(source, offset + 16);
    for (int i = 0; i < LOOKED_AT_FIRST; i += 2) {
      int seed = tweak + i * SEED_STEP;
      int one = hash20(seed, w0, w1, w2, w3, w4);
      int two = hash20(seed + SEED_STEP, w0, w1, w2, w3, w4);
      if ((bitAt(one) & bitAt(two)) == 0) {
        return false;
      }
    }
    int[] hashes = HASHES.get();
    for (int from = LOOKED_AT_FIRST; from < hashFunctions; from += AT_ONCE) {
      hashAll20(hashes, tweak + from * SEED_STEP, w0, w1, w2, w3, w4);
      if (!areSet(hashes, Math.min(AT_ONCE, hashFunctions - from))) {
        return false;
      }
    }
    return true;
  }

  // The loops over all functions are separate methods, which the JVM vectorises best.

  private static void hashAll20(int[] hashes, int seed, int w0, int w1, int w2, int w3, int w4) {
    for (int i = 0; i < AT_ONCE; i++) {
      hashes[i] = hash20(seed + STEPS[i], w0, w1, w2, w3, w4);
    }
  }

  private static int hash20(int seed, int w0, int w1, int w2, int w3, int w4) {
    int h = MurmurHash3.fold(MurmurHash3.fold(seed, w0), w1);
    h = MurmurHash3.fold(MurmurHash3.fold(MurmurHash3.fold(h, w2), w3), w4);
    return MurmurHash3.finish(h, 20);
  }

  /** For a hash, and for a compressed key, whose last byte is a separate word. */
  private boolean contains32(byte[] source, int offset, int length) {
    int w0 = mixed(source, offset);
    int w1 = mixed(source, offset + 4);
    int w2 = mixed(source, offset + 8);
    int w3 = mixed(source, offset + 12);
    int w4 = mixed(source, offset + 16);
    int w5 = mixed(source, offset + 20);
    int w6 = mixed(source, offset + 24);
    int w7 = mixed(source, offset + 28);
    // The last step begins by adding the length, bit by bit, to the state, as the tail is added.
    int end = MurmurHash3.mix(MurmurHash3.tail(source, offset + 32, length - 32)) ^ length;
    for (int i = 0; i < LOOKED_AT_FIRST; i += 2) {
      int seed = tweak + i * SEED_STEP;
      int one = hash32(seed, w0, w1, w2, w3, w4, w5, w6, w7, end);
      int two = hash32(seed + SEED_STEP, w0, w1, w2, w3, w4, w5, w6, w7, end);
      if ((bitAt(one) & bitAt(two)) == 0) {
        return false;
      }
    }
    int[] hashes = HASHES.get();
    for (int from = LOOKED_AT_FIRST; from < hashFunctions; from += AT_ONCE) {
      int seed = tweak + from * SEED_STEP;
      hashAll32(hashes, seed, w0, w1, w2, w3, w4, w5, w6, w7, end);
      if (!areSet(hashes, Math.min(AT_ONCE, hashFunctions - from))) {
        return false;
      }
    }
    return true;
  }

  private boolean contains36(byte[] source, int offset) {
    int w0 = mixed(source, offset);
    int w1 = mixed(source, offset + 4);
    int w2 = mixed(source, offset + 8);
    int w3 = mixed(source, offset + 12);
    int w4 = mixed(source, offset + 16);
    int w5 = mixed(source, offset + 20);
    int w6 = mixed(source, offset + 24);
    int w7 = mixed(source, offset + 28);
    int w8 = mixed(source, offset + 32);
    for (int i = 0; i < LOOKED_AT_FIRST; i += 2) {
      int seed = tweak + i * SEED_STEP;
      int one = hash36(seed, w0, w1, w2, w3, w4, w5, w6, w7, w8);
      int two = hash36(seed + SEED_STEP, w0, w1, w2, w3, w4, w5, w6, w7, w8);
      if ((bitAt(one) & bitAt(two)) == 0) {
        return false;
      }
    }
    int[] hashes = HASHES.get();
    for (int from = LOOKED_AT_FIRST; from < hashFunctions; from += AT_ONCE) {
      int seed = tweak + from * SEED_STEP;
      hashAll36(hashes, seed, w0, w1, w2, w3, w4, w5, w6, w7, w8);
      if (!areSet(hashes, Math.min(AT_ONCE, hashFunctions - from))) {
        return false;
      }
    }
    return true;
  }

  private static void hashAll32(
      int[] hashes,
      int seed,
      int w0,
      int w1,
      int w2,
      int w3,
      int w4,
      int w5,
      int w6,
      int w7,
      int end) {
    for (int i = 0; i < AT_ONCE; i++) {
      hashes[i] = hash32(seed + STEPS[i], w0, w1, w2, w3, w4, w5, w6, w7, end);
    }
  }

  private static int hash32(
      int seed, int w0, int w1, int w2, int w3, int w4, int w5, int w6, int w7, int end) {
    return MurmurHash3.finish(foldEight(seed, w0, w1, w2, w3, w4, w5, w6, w7), end);
  }

  private static void hashAll36(
      int[] hashes,
      int seed,
      int w0,
      int w1,
      int w2,
      int w3,
      int w4,
      int w5,
      int w6,
      int w7,
      int w8) {
    for (int i = 0; i < AT_ONCE; i++) {
      hashes[i] = hash36(seed + STEPS[i], w0, w1, w2, w3, w4, w5, w6, w7, w8);
    }
  }

  private static int hash36(
      int seed, int w0, int w1, int w2, int w3, int w4, int w5, int w6, int w7, int w8) {
    return MurmurHash3.finish(
        MurmurHash3.fold(foldEight(seed, w0, w1, w2, w3, w4, w5, w6, w7), w8), 36);
  }

  private static int foldEight(
      int seed, int w0, int w1, int w2, int w3, int w4, int w5, int w6, int w7) {
    int h = MurmurHash3.fold(MurmurHash3.fold(seed, w0), w1);
    h = MurmurHash3.fold(MurmurHash3.fold(MurmurHash3.fold(h, w2), w3), w4);
    return MurmurHash3.fold(MurmurHash3.fold(MurmurHash3.fold(h, w5), w6), w7);
  }

  private static int mixed(byte[] source, int offset) {
    return MurmurHash3.mix(LittleEndian.int32(source, offset));
  }

  private boolean areSet(int[] hashes, int count) {
    for (int i = 0; i < count; i++) {
      if (bitAt(hashes[i]) == 0) {
        return false;
      }
    }
    return true;
  }

  /** The bit at a hash: 0 or 1. */
  private int bitAt(int hash) {
    return data[bitOf(hash) >> 3] >> (hash & 7) & 1;
  }

  /**
   * The bit index of a hash: {@code hash mod bitCount}. Its lowest three bits equal the hash's,
   * because 8 divides the modulus.
   *
   * <p>The first product, its whole part cut off, is the fraction of hash / bitCount to 64 bits;
   * the second turns the fraction into the remainder. Exactly so: the reciprocal is too large by
   * less than 2^-64, so the fraction by less than 2^-32. Cut to 45 bits to make room for the second
   * product and one added, it is too large still, by less than 2^-31; and times 288,000 bits that
   * is below 1.
   */
  private int bitOf(int hash) {
    long fraction = ((Integer.toUnsignedLong(hash) * reciprocal) >>> 19) + 1;
    return (int) ((fraction * bitCount) >>> 45);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterBits b
        && hashFunctions == b.hashFunctions
        && tweak == b.tweak
        && Arrays.equals(data, b.data);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(data) + tweak;
  }
}
