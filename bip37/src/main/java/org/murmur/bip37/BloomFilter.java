package org.murmur.bip37;

import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.MalformedException;

/**
 * A Bloom filter of BIP-0037: parameters and bits, as a {@code filterload} message carries them.
 *
 * <p>It matches every inserted element, and others at the rate of {@link #realisedRate()}. An
 * immutable value with equality; thread safe. {@link ServerFilter} is the server-side filter, which
 * changes.
 *
 * <pre>
 *   CompactSize  length of the filter, at most 36,000
 *   bytes        the filter; bit j is bit (j &amp; 7) of byte (j &gt;&gt; 3)
 *   uint32       number of hash functions, at most 50
 *   uint32       tweak
 *   uint8        flags
 * </pre>
 */
public final class BloomFilter {

  private final FilterParameters parameters;
  private final FilterBits bits;

  /** Keeps the bits, which must not change any more. */
  BloomFilter(FilterParameters parameters, FilterBits bits) {
    this.parameters = parameters;
    this.bits = bits;
  }

  /**
   * Starts an empty filter.
   *
   * @param parameters its size, functions, tweak and flag
   * @return a builder, for one thread
   */
  public static Builder builder(FilterParameters parameters) {
    return new Builder(parameters);
  }

  /** Collects the elements of a filter. Belongs to one thread. */
  public static final class Builder {

    private final FilterParameters parameters;
    private final FilterBits bits;

    private Builder(FilterParameters parameters) {
      this.parameters = parameters;
      this.bits =
          new FilterBits(
              new byte[parameters.bytes()], parameters.hashFunctions(), parameters.tweak());
    }

    /**
     * Inserts an element.
     *
     * @param element a key, key hash, script hash, txid or serialised outpoint
     * @return this builder
     */
    public Builder add(Bytes element) {
      return add(element.unsafeArray(), 0, element.length());
    }

    /**
     * Inserts an element that is part of an array.
     *
     * @param source the array
     * @param offset index of the first byte
     * @param length number of bytes
     * @return this builder
     */
    public Builder add(byte[] source, int offset, int length) {
      bits.add(source, offset, length);
      return this;
    }

    /**
     * Makes a filter of the elements so far. The builder can be used further.
     *
     * @return the filter
     */
    public BloomFilter build() {
      return new BloomFilter(parameters, bits.copy());
    }
  }

  /**
   * Decodes the payload of a {@code filterload}.
   *
   * @param payload the whole payload
   * @return the filter; the flags byte is reduced to {@link UpdateFlag#ofCode}
   * @throws MalformedException if it is truncated, has trailing bytes, or exceeds the limits of
   *     BIP-0037, for which a server disconnects
   */
  public static BloomFilter fromPayload(Bytes payload) {
    ByteReader in = new ByteReader(payload.unsafeArray());
    BloomFilter filter = read(in);
    in.expectEnd();
    return filter;
  }

  /**
   * Reads a filter, and leaves what follows it.
   *
   * @param in at the beginning of a filter
   * @return the filter
   * @throws MalformedException if it is truncated or exceeds the limits of BIP-0037
   */
  public static BloomFilter read(ByteReader in) {
    int length = in.count(1);
    if (length > FilterParameters.MAX_BYTES) {
      throw new MalformedException("filter of " + length + " bytes, at most 36000 allowed", 0);
    }
    byte[] data = in.bytes(length).unsafeArray();
    long functions = in.uint32();
    if (functions > FilterParameters.MAX_HASH_FUNCTIONS) {
      throw new MalformedException(
          functions + " hash functions, at most 50 allowed", in.position() - 4);
    }
    int tweak = in.int32();
    UpdateFlag flag = UpdateFlag.ofCode(in.uint8());
    FilterParameters parameters = new FilterParameters(length, (int) functions, tweak, flag);
    return new BloomFilter(parameters, new FilterBits(data, (int) functions, tweak));
  }

  /**
   * Encodes the payload of a {@code filterload}.
   *
   * @return the payload
   */
  public Bytes toPayload() {
    byte[] data = bits.data();
    return new ByteWriter(data.length + 14)
        .compactSize(data.length)
        .bytes(data, 0, data.length)
        .int32(parameters.hashFunctions())
        .int32(parameters.tweak())
        .uint8(parameters.flag().code())
        .toBytes();
  }

  /**
   * Returns whether an element may be in the filter.
   *
   * @param element the element
   * @return false only if it was never inserted
   */
  public boolean contains(Bytes element) {
    return bits.contains(element.unsafeArray(), 0, element.length());
  }

  /**
   * Returns whether an element that is part of an array may be in the filter. Allocates nothing.
   *
   * @param source the array
   * @param offset index of the first byte
   * @param length number of bytes
   * @return false only if it was never inserted
   */
  public boolean contains(byte[] source, int offset, int length) {
    return bits.contains(source, offset, length);
  }

  /**
   * Returns this filter with one more element, as after {@code filteradd} at the server.
   *
   * @param element what to insert
   * @return a new filter
   */
  public BloomFilter with(Bytes element) {
    FilterBits more = bits.copy();
    more.add(element.unsafeArray(), 0, element.length());
    return new BloomFilter(parameters, more);
  }

  /** {@return the parameters: size, functions, tweak and flag} */
  public FilterParameters parameters() {
    return parameters;
  }

  /** {@return the number of bits that are set, 0 to the number of bits} */
  public int bitsSet() {
    return bits.bitsSet();
  }

  /**
   * {@return the share of bits that are set, 0 to 1; 1 for a filter without bytes, which matches
   * everything}
   */
  public double load() {
    return bits.load();
  }

  /**
   * {@return the false-positive rate of this very filter, from the bits that are set: {@code
   * (X/m)^k}; 0 to 1} This is the best prediction; the rate that the filter was sized for can
   * differ much.
   */
  public double realisedRate() {
    return bits.rate();
  }

  /**
   * Estimates the number of inserted elements from the bits, as any observer can; see {@link
   * FilterTheory#estimatedElements}.
   *
   * @return the estimate; infinite if all bits are set
   */
  public double estimatedElements() {
    return FilterTheory.estimatedElements(parameters.bits(), parameters.hashFunctions(), bitsSet());
  }

  /**
   * {@return whether the filter has no bytes; true for a filter of zero bytes; not for one whose
   * bits are all clear} Such a filter matches everything and can take no element (CVE-2013-5700).
   */
  public boolean isEmpty() {
    return parameters.bytes() == 0;
  }

  /** A mutable copy of the bits. */
  FilterBits copyOfBits() {
    return bits.copy();
  }

  /** Equal parameters and equal bits. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BloomFilter f && parameters.equals(f.parameters) && bits.equals(f.bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  /** Parameters and share of set bits, not the bits. */
  @Override
  public String toString() {
    return "BloomFilter[" + parameters + ", bitsSet=" + bitsSet() + "]";
  }
}
