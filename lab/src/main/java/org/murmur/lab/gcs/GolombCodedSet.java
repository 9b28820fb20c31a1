package org.murmur.lab.gcs;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.MalformedException;

/**
 * A Golomb-coded set as BIP-0158 writes it: N elements are hashed to numbers below N·M, sorted, and
 * the steps from each to the next are written in Golomb-Rice code. It never forgets an element and
 * may claim others, at a rate of 1/M. An immutable value; safe to share between threads.
 *
 * <pre>
 *   CompactSize  N, the number of elements
 *   bits         for each element: the step divided by 2^P in unary (ones, then a zero), then its
 *                lowest P bits, most significant first; filled up with zeros to a whole byte
 * </pre>
 */
public final class GolombCodedSet {

  /**
   * What must be known to read a set.
   *
   * @param p P, how many bits of each step are written as they are, 0 to 32
   * @param m M, one over the false-positive rate, 1 to 2^32 - 1
   * @param hash the hash with its key
   */
  public record Parameters(int p, long m, SipHash hash) {

    /** P of BIP-0158's basic filter. */
    public static final int BASIC_P = 19;

    /** M of BIP-0158's basic filter: the size is least where M is 1.497137 · 2^P. */
    public static final long BASIC_M = 784_931;

    /** M / 2^P for the smallest set, as derived in BIP-0158. */
    private static final double BEST_M = 1.497137;

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if one is passed
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
     * Those of the basic filter of a block.
     *
     * @param blockHash whose first 16 bytes, in internal order, are the key
     * @return P = 19, M = 784931
     */
    public static Parameters basic(Hash256 blockHash) {
      byte[] key = blockHash.toInternal();
      SipHash hash = new SipHash(LittleEndian.int64(key, 0), LittleEndian.int64(key, 8));
      return new Parameters(BASIC_P, BASIC_M, hash);
    }

    /**
     * Those of the smallest set for a false-positive rate.
     *
     * @param rate between 2^-32 and 1
     * @param hash the hash
     * @return M the nearest whole number to 1/rate, P such that M / 2^P is nearest to 1.497137
     * @throws IllegalArgumentException if the rate is out of range
     */
    public static Parameters forRate(double rate, SipHash hash) {
      if (!(rate > 0x1p-32 && rate < 1)) {
        throw new IllegalArgumentException("rate " + rate + ", expected between 2^-32 and 1");
      }
      long p = Math.round(Math.log(1 / (rate * BEST_M)) / Math.log(2));
      return new Parameters((int) Math.max(0, p), Math.max(1, Math.round(1 / rate)), hash);
    }

    /**
     * The bits that an element takes on average in a large set: {@code P + 1 + 1 / (e^(2^P / M) -
     * 1)}, the expectation of the Golomb-Rice code of a geometric step.
     *
     * @return bits
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

  /**
   * Makes a set.
   *
   * @param parameters how
   * @param elements what is in it; those that are equal count once
   * @return the set
   */
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

  /**
   * Decodes what {@link #toPayload} gives.
   *
   * @param parameters how it was made
   * @param payload the bytes
   * @return the set, every element of which can be read
   * @throws MalformedException if it is cut short, something is left over, or an element lies
   *     beyond the range
   */
  public static GolombCodedSet fromPayload(Parameters parameters, Bytes payload) {
    ByteReader in = new ByteReader(payload.unsafeArray());
    long count = in.compactSize();
    Bytes code = in.bytes(in.remaining());
    // An element takes at least P + 1 bits, whatever the count promises; 2^63 and more read
    // negative.
    if (count < 0 || count > 8L * code.length() / (parameters.p() + 1)) {
      throw new MalformedException(count + " elements in " + code.length() + " bytes", 0);
    }
    BitInput bits = new BitInput(code.unsafeArray());
    Walk walk = new Walk(bits, parameters.p());
    for (long i = 0; i < count; i++) {
      if (walk.next() >= count * parameters.m()) {
        throw new MalformedException("element " + i + " lies beyond the range", in.position());
      }
    }
    if (!bits.atEnd()) {
      throw new MalformedException("something is left after the last element", in.position());
    }
    return new GolombCodedSet(parameters, (int) count, code, walk.bits);
  }

  /**
   * Encodes the set, as BIP-0158 and the message {@code cfilter} carry it.
   *
   * @return the count and the bits
   */
  public Bytes toPayload() {
    return new ByteWriter(code.length() + 9).compactSize(elements).bytes(code).toBytes();
  }

  /**
   * Returns whether an element may be in the set. Reads from the start up to the place where it
   * would be: the time grows with the set.
   *
   * @param element the element
   * @return false only if it is not in it
   */
  public boolean mayContain(Bytes element) {
    return matches(new long[] {place(parameters, elements * parameters.m(), element)}, 1) > 0;
  }

  /**
   * Returns whether any of some elements may be in the set: one walk along the set, however many
   * are asked for.
   *
   * @param asked the elements
   * @return false only if none of them is in it
   */
  public boolean mayContainAny(Collection<Bytes> asked) {
    return matches(sorted(parameters, elements * parameters.m(), asked), 1) > 0;
  }

  /**
   * Counts which of some elements may be in the set, in one walk along it.
   *
   * @param asked the elements
   * @return how many of them
   */
  public int countContained(Collection<Bytes> asked) {
    return matches(sorted(parameters, elements * parameters.m(), asked), Integer.MAX_VALUE);
  }

  /** How many of the values, which are sorted, are in the set; stops when it has seen enough. */
  private int matches(long[] values, int enough) {
    Walk walk = new Walk(new BitInput(code.unsafeArray()), parameters.p());
    int found = 0;
    int at = 0;
    for (int i = 0; i < elements && at < values.length && found < enough; i++) {
      long member = walk.next();
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

  /**
   * Returns the parameters.
   *
   * @return P, M and the hash
   */
  public Parameters parameters() {
    return parameters;
  }

  /**
   * Returns the number of elements.
   *
   * @return N
   */
  public int elements() {
    return elements;
  }

  /**
   * Counts hashes: two elements may have the same one.
   *
   * @return how many different ones there are, at most {@link #elements()}
   */
  public int distinct() {
    Walk walk = new Walk(new BitInput(code.unsafeArray()), parameters.p());
    int distinct = 0;
    long last = -1;
    for (int i = 0; i < elements; i++) {
      long member = walk.next();
      distinct += member == last ? 0 : 1;
      last = member;
    }
    return distinct;
  }

  /**
   * Returns the size of the code.
   *
   * @return bits, without the count and without those that fill up the last byte
   */
  public long codeBits() {
    return codeBits;
  }

  /** Members in ascending order, read as one goes. */
  private static final class Walk {
    private final BitInput in;
    private final int p;
    private long member;
    private long bits;

    Walk(BitInput in, int p) {
      this.in = in;
      this.p = p;
    }

    long next() {
      long whole = in.readUnary();
      member += (whole << p) + in.read(p);
      bits += whole + 1 + p;
      return member;
    }
  }

  /** Ascending. The range stays below 2^63, since there are below 2^31 elements. */
  private static long[] sorted(Parameters parameters, long range, Collection<Bytes> elements) {
    long[] values = new long[elements.size()];
    int at = 0;
    for (Bytes element : elements) {
      values[at++] = place(parameters, range, element);
    }
    Arrays.sort(values);
    return values;
  }

  /** The upper 64 bits of hash · range: below the range, and as even as the hash. */
  private static long place(Parameters parameters, long range, Bytes element) {
    long hash = parameters.hash().hash(element.unsafeArray());
    // The signed product, corrected for a hash that reads as negative; the range never does.
    return Math.multiplyHigh(hash, range) + ((hash >> 63) & range);
  }

  /** Parameters and size, not the bits. */
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
