package org.murmur.lab.families;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.internal.gcs.SipHash;

/** Hashes of elements under a key derived from a seed, and uses of such 64 bits. */
final class KeyedHash {

  /**
   * 2^64 divided by the golden ratio, odd: its multiples spread evenly (as in SplittableRandom).
   */
  static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final SipHash hash;

  KeyedHash(long seed) {
    this.hash = new SipHash(mix(seed), mix(seed + GOLDEN));
  }

  SipHash sipHash() {
    return hash;
  }

  long of(Bytes element) {
    return hash.hash(element.unsafeArray());
  }

  /** The i-th number below a range, derived from a hash. These numbers are nearly independent. */
  static int position(long hash, int i, int range) {
    return reduce(mix(hash + i * GOLDEN), range);
  }

  /**
   * A bijection of 64 bits in which every output bit depends on all input bits (Stafford's mixer
   * 13).
   */
  static long mix(long value) {
    long x = value;
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }

  /** Maps 64 bits evenly to the numbers from 0 to below a range, by the upper bits. */
  static int reduce(long hash, int range) {
    return (int) reduce(hash, (long) range);
  }

  /** Maps 64 bits evenly to the numbers from 0 to below a range, by the upper bits. */
  static long reduce(long hash, long range) {
    // The upper half of the unsigned product: multiplyHigh treats the hash as signed.
    return Math.multiplyHigh(hash, range) + ((hash >> 63) & range);
  }
}
