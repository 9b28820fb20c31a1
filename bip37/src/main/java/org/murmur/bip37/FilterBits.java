package org.murmur.bip37;

import java.util.Arrays;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * The bits of a filter, and the hash functions that find them. Mutable: {@link BloomFilter} holds
 * one that nobody changes any more, {@link ServerFilter} one that grows.
 *
 * <p>Function i is MurmurHash3 with the seed {@code i · 0xFBA4C795 + tweak}, modulo the number of
 * bits; bit j is the bit {@code 1 << (j & 7)} of byte {@code j >> 3} (BIP-0037).
 *
 * <p>Looking up is what servers and measurements spend their time on. So the words of an element
 * are mixed once instead of once per function, for the four lengths that nearly all elements have
 * (hashes of 20 and 32 bytes, compressed keys of 33, outpoints of 36); and the modulus is two
 * multiplications. Nothing is allocated.
 */
final class FilterBits {

  /** The distance between the seeds of two functions, chosen by BIP-0037. */
  private static final int SEED_STEP = 0xfba4c795;

  private final byte[] data;
  private final int hashFunctions;
  private final int tweak;

  // 2^48 / bytes, rounded up, in the upper 48 bits.
  private final long reciprocal;

  FilterBits(byte[] data, int hashFunctions, int tweak) {
    this.data = data;
    this.hashFunctions = hashFunctions;
    this.tweak = tweak;
    int divisor = Math.max(1, data.length);
    this.reciprocal = (((1L << 48) + divisor - 1) / divisor) << 16;
  }

  FilterBits copy() {
    return new FilterBits(data.clone(), hashFunctions, tweak);
  }

  /** The bytes themselves, for reading only. */
  byte[] data() {
    return data;
  }

  int countSet() {
    int set = 0;
    for (byte b : data) {
      set += Integer.bitCount(b & 0xff);
    }
    return set;
  }

  void add(byte[] source, int offset, int length) {
    if (data.length == 0) {
      return;
    }
    int seed = tweak;
    for (int i = 0; i < hashFunctions; i++) {
      int hash = MurmurHash3.hash(seed, source, offset, length);
      data[byteOf(hash)] |= (byte) (1 << (hash & 7));
      seed += SEED_STEP;
    }
  }

  boolean contains(byte[] source, int offset, int length) {
    if (data.length == 0) {
      // Such a filter matches everything; Core once divided by zero here (CVE-2013-5700).
      return true;
    }
    return switch (length) {
      case 20 -> contains20(source, offset);
      case 32, 33, 36 -> contains32(source, offset, length);
      default -> containsAny(source, offset, length);
    };
  }

  private boolean containsAny(byte[] source, int offset, int length) {
    int seed = tweak;
    for (int i = 0; i < hashFunctions; i++) {
      if (!isSet(MurmurHash3.hash(seed, source, offset, length))) {
        return false;
      }
      seed += SEED_STEP;
    }
    return true;
  }

  private boolean contains20(byte[] source, int offset) {
    int w0 = mixedWord(source, offset);
    int w1 = mixedWord(source, offset + 4);
    int w2 = mixedWord(source, offset + 8);
    int w3 = mixedWord(source, offset + 12);
    int w4 = mixedWord(source, offset + 16);
    int seed = tweak;
    for (int i = 0; i < hashFunctions; i++) {
      int h = MurmurHash3.fold(MurmurHash3.fold(seed, w0), w1);
      h = MurmurHash3.fold(MurmurHash3.fold(MurmurHash3.fold(h, w2), w3), w4);
      if (!isSet(MurmurHash3.finish(h, 20))) {
        return false;
      }
      seed += SEED_STEP;
    }
    return true;
  }

  /** For 32 bytes and what may follow them: one byte (a compressed key) or four (an outpoint). */
  private boolean contains32(byte[] source, int offset, int length) {
    int w0 = mixedWord(source, offset);
    int w1 = mixedWord(source, offset + 4);
    int w2 = mixedWord(source, offset + 8);
    int w3 = mixedWord(source, offset + 12);
    int w4 = mixedWord(source, offset + 16);
    int w5 = mixedWord(source, offset + 20);
    int w6 = mixedWord(source, offset + 24);
    int w7 = mixedWord(source, offset + 28);
    boolean outPoint = length == 36;
    int w8 =
        outPoint
            ? mixedWord(source, offset + 32)
            : MurmurHash3.mix(MurmurHash3.tail(source, offset + 32, length - 32));
    int seed = tweak;
    for (int i = 0; i < hashFunctions; i++) {
      int h = MurmurHash3.fold(MurmurHash3.fold(seed, w0), w1);
      h = MurmurHash3.fold(MurmurHash3.fold(MurmurHash3.fold(h, w2), w3), w4);
      h = MurmurHash3.fold(MurmurHash3.fold(MurmurHash3.fold(h, w5), w6), w7);
      h = outPoint ? MurmurHash3.fold(h, w8) : h ^ w8;
      if (!isSet(MurmurHash3.finish(h, length))) {
        return false;
      }
      seed += SEED_STEP;
    }
    return true;
  }

  private static int mixedWord(byte[] source, int offset) {
    return MurmurHash3.mix(LittleEndian.int32(source, offset));
  }

  private boolean isSet(int hash) {
    return (data[byteOf(hash)] >> (hash & 7) & 1) != 0;
  }

  /**
   * Which byte holds the bit {@code hash mod 8·bytes}: {@code (hash / 8) mod bytes}. Which of its
   * bits, the lowest three bits of the hash say, since 8 divides the modulus.
   *
   * <p>The first product, its whole part cut off, is the fraction of hash / 8 / bytes to 48 bits;
   * the second turns the fraction into the remainder. Exactly so: the reciprocal is too large by
   * less than 2^-48, so the fraction by less than 2^29 · 2^-48, and times 36,000 that is below 1.
   */
  private int byteOf(int hash) {
    long fraction = ((hash >>> 3) * reciprocal) >>> 16;
    return (int) ((fraction * data.length) >>> 48);
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
