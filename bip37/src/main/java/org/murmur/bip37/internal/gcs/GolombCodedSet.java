package org.murmur.bip37.internal.gcs;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;

/**
 * A Golomb-coded set as in BIP-0158: N elements are hashed to numbers below N·M and sorted. The
 * differences are written in Golomb-Rice code. The set has no false negatives, and false positives
 * at a rate of 1/M. {@link FilterMatcher} reads such sets from peers. Immutable; safe to share
 * between threads.
 *
 * <pre>
 *   CompactSize  N, the number of elements
 *   bits         for each element: the step divided by 2^P in unary (ones, then a zero), then its
 *                lowest P bits, most significant first; filled up with zeros to a whole byte
 * </pre>
 */
public final class GolombCodedSet {

  private static final long LOW = 0xffffffffL;

  /**
   * The parameters needed to read a set.
   *
   * @param p P, the number of low bits of each difference written without coding, 0 to 32
   * @param m M, one over the false-positive rate, 1 to 2^32 - 1
   */
  public record Parameters(int p, long m, SipHash hash) {

    /** P of BIP-0158's basic filter. */
    public static final int BASIC_P = 19;

    /** M of BIP-0158's basic filter: the size is least where M is 1.497137 · 2^P. */
    public static final long BASIC_M = 784_931;

    /** M / 2^P for the smallest set, as derived in BIP-0158. */
    private static final double BEST_M = 1.497137;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public Parameters {
      if (p < 0 || p > 32) {
        throw new IllegalArgumentException("p " + p + ", expected 0 to 32");
      }
      if (m < 1 || m >= 1L << 32) {
        throw new IllegalArgumentException("m " + m + ", expected 1 to 2^32 - 1");
      }
    }

    /**
     * Returns the parameters of the basic filter of a block.
     *
     * @param blockHash the block's hash; its first 16 bytes, in internal byte order, are the key
     * @return P = 19, M = 784,931
     */
    public static Parameters basic(Hash256 blockHash) {
      byte[] key = blockHash.toInternal();
      SipHash hash = new SipHash(LittleEndian.int64(key, 0), LittleEndian.int64(key, 8));
      return new Parameters(BASIC_P, BASIC_M, hash);
    }

    /**
     * Returns the parameters of the smallest set for a false-positive rate.
     *
     * @param rate the probability that the set seems to contain an element that is not in it
     * @return M the nearest whole number to 1/rate, P such that M / 2^P is nearest to 1.497137
     */
    public static Parameters forRate(double rate, SipHash hash) {
      if (!(rate > 0x1p-32 && rate < 1)) {
        throw new IllegalArgumentException("rate " + rate + ", expected between 2^-32 and 1");
      }
      long p = Math.round(Math.log(1 / (rate * BEST_M)) / Math.log(2));
      return new Parameters((int) Math.max(0, p), Math.max(1, Math.round(1 / rate)), hash);
    }

    /**
     * {@return the average bits per element in a large set: {@code P + 1 + 1 / (e^(2^P / M) - 1)}}
     * This is the expected length of the Golomb-Rice code of a geometric difference.
     */
    public double bitsPerElement() {
      return p + 1 + 1 / Math.expm1(Math.scalb(1.0, p) / m);
    }
  }

  private final Parameters parameters;
  private final int elements;
  private final Bytes code;
  private final long codeBits;

  private GolombCodedSet(Parameters parameters, int elements, Bytes code, long codeBits) {
    this.parameters = parameters;
    this.elements = elements;
    this.code = code;
    this.codeBits = codeBits;
  }

  /** Makes a set. */
  public static GolombCodedSet of(Parameters parameters, Collection<Bytes> elements) {
    Set<Bytes> distinct = new LinkedHashSet<>(elements);
    long range = distinct.size() * parameters.m();
    BitOutput out = new BitOutput();
    long last = 0;
    for (long value : sorted(parameters, range, distinct)) {
      long step = value - last;
      out.writeUnary(step >>> parameters.p());
      out.write(step, parameters.p());
      last = value;
    }
    return new GolombCodedSet(parameters, distinct.size(), out.toBytes(), out.bits());
  }

  /** Encodes the set as in BIP-0158 and in the message {@code cfilter}. */
  public Bytes toPayload() {
    return new ByteWriter(code.length() + 9).compactSize(elements).bytes(code).toBytes();
  }

  /**
   * Returns whether an element may be in the set. Reads from the start up to the element's place:
   * the time grows with the set.
   *
   * @return false only if it is not in the set
   */
  public boolean mayContain(Bytes element) {
    return matches(new long[] {place(parameters, elements * parameters.m(), element)}) > 0;
  }

  /** Counts the elements that may be in the set, in one pass over the set. */
  public int countContained(Collection<Bytes> asked) {
    return matches(sorted(parameters, elements * parameters.m(), asked));
  }

  /** The number of these sorted values in the set. */
  private int matches(long[] values) {
    BitInput in = new BitInput(code.unsafeArray(), 0);
    long member = 0;
    int found = 0;
    int at = 0;
    for (int i = 0; i < elements && at < values.length; i++) {
      member += in.readRice(parameters.p());
      while (at < values.length && values[at] < member) {
        at++;
      }
      while (at < values.length && values[at] == member) {
        found++;
        at++;
      }
    }
    return found;
  }

  public Parameters parameters() {
    return parameters;
  }

  /** Returns the number of elements. */
  public int elements() {
    return elements;
  }

  /** Counts distinct hashes: two elements may have the same one. */
  public int distinct() {
    BitInput in = new BitInput(code.unsafeArray(), 0);
    int distinct = 0;
    for (int i = 0; i < elements; i++) {
      long step = in.readRice(parameters.p());
      distinct += i > 0 && step == 0 ? 0 : 1;
    }
    return distinct;
  }

  /**
   * Returns the size of the coded bits.
   *
   * @return bits, without the count and the padding of the last byte
   */
  public long codeBits() {
    return codeBits;
  }

  /**
   * Hashes and sorts the elements. The range is below 2^63, since there are below 2^31 elements.
   */
  private static long[] sorted(Parameters parameters, long range, Collection<Bytes> elements) {
    long[] values = new long[elements.size()];
    int at = 0;
    for (Bytes element : elements) {
      values[at++] = place(parameters, range, element);
    }
    Arrays.sort(values);
    return values;
  }

  private static long place(Parameters parameters, long range, Bytes element) {
    return place(parameters.hash().hash(element.unsafeArray()), range);
  }

  /**
   * The upper 64 bits of hash · range, both unsigned: below the range, and as uniform as the hash.
   */
  static long place(long hash, long range) {
    // By halves: Math.multiplyHigh is not part of Android 8.
    long high = hash >>> 32;
    long low = hash & LOW;
    long carry = high * (range & LOW) + ((low * (range & LOW)) >>> 32);
    return high * (range >>> 32) + (carry >>> 32) + ((low * (range >>> 32) + (carry & LOW)) >>> 32);
  }

  /** The parameters and the size, without the bits. */
  @Override
  public String toString() {
    return "GolombCodedSet[p="
        + parameters.p()
        + ", m="
        + parameters.m()
        + ", elements="
        + elements
        + ", bits="
        + codeBits
        + "]";
  }
}
