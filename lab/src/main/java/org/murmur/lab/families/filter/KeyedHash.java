package org.murmur.lab.families.filter;

import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.gcs.SipHash;

/**
 * Hashes of elements under a key that follows from a seed, and what can be made of 64 such bits.
 */
public final class KeyedHash {

  /** 2^64 divided by the golden ratio, odd: steps that spread evenly (as in SplittableRandom). */
  public static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final SipHash hash;

  public KeyedHash(long seed) {
    this.hash = new SipHash(mix(seed), mix(seed + GOLDEN));
  }

  public SipHash sipHash() {
    return hash;
  }

  /** The hash of an element, 64 bits. */
  public long of(Bytes element) {
    return hash.hash(element.unsafeArray());
  }

  /** The i-th number below a range that belongs to a hash; they are as good as independent. */
  public static int position(long hash, int i, int range) {
    return reduce(mix(hash + i * GOLDEN), range);
  }

  /** A bijection of 64 bits that lets every bit depend on all (Stafford's thirteenth mixer). */
  public static long mix(long value) {
    long x = value;
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }

  /** Maps 64 bits evenly to 0 (inclusive) up to a range (exclusive) by the upper bits. */
  public static int reduce(long hash, int range) {
    return (int) reduce(hash, (long) range);
  }

  /** Maps 64 bits evenly to 0 (inclusive) up to a range (exclusive) by the upper bits. */
  public static long reduce(long hash, long range) {
    // The upper half of the unsigned product: multiplyHigh takes the hash for signed.
    return Math.multiplyHigh(hash, range) + ((hash >> 63) & range);
  }
}
