package org.murmur.bip37.internal.gcs;

import java.util.Arrays;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.internal.gcs.GolombCodedSet.Parameters;

/**
 * Tests scripts against the basic filters of blocks (BIP-0158). Finds every script of a block, and
 * a foreign script once in 784,931 tests.
 *
 * <p>A filter's values are decoded into an array and a bitmap. A script's place is looked up in the
 * bitmap, and only a hit is searched in the array. This takes less time than sorting the places.
 * Scripts are kept as the words that SipHash reads.
 *
 * <p>Holds 16 kB, 8 bytes for each element of the largest filter so far, and each script rounded up
 * to 8 bytes. A filter of k bytes has at most 0.4·k elements, whatever it claims. For one thread.
 */
public final class FilterMatcher {

  /** The bitmap fits into the first-level cache; 8,500 elements, a full block, set 6 % of it. */
  private static final int BITMAP_BITS = 1 << 17;

  private static final int[] NONE = {};

  private final long[] bitmap = new long[BITMAP_BITS / Long.SIZE];
  private long[] values = {};

  /** The words of all scripts, one script after the other. */
  private long[] words = new long[64];

  /** For each script, the index behind its last word. */
  private int[] ends = new int[16];

  private int scripts;

  /**
   * Adds a script. Filters tested before are not tested again.
   *
   * @param script the whole output script; not empty, since filters leave empty scripts out
   * @return its index: how many were added before
   */
  public int add(Bytes script) {
    if (script.isEmpty()) {
      throw new IllegalArgumentException("script of 0 bytes, expected at least 1");
    }
    long[] added = SipHash.words(script.unsafeArray());
    int start = scripts == 0 ? 0 : ends[scripts - 1];
    int end = start + added.length;
    if (end > words.length) {
      words = Arrays.copyOf(words, Math.max(end, 2 * words.length));
    }
    if (scripts == ends.length) {
      ends = Arrays.copyOf(ends, 2 * scripts);
    }
    System.arraycopy(added, 0, words, start, added.length);
    ends[scripts] = end;
    return scripts++;
  }

  /** {@return the number of scripts added} */
  public int size() {
    return scripts;
  }

  /**
   * Tests all scripts against the filter of one block.
   *
   * @param filter as a peer sends it: the number of elements, then the coded bits
   * @param block the hash of the block
   * @return the indices of the scripts that match, ascending; empty for almost every block
   * @throws MalformedException if the filter is not what BIP-0158 encodes: the count has no
   *     shortest form or does not fit, bits are missing or left over, or a value is out of range.
   *     No honest peer sends such a filter
   */
  public int[] match(Bytes filter, Hash256 block) {
    return match(filter, block, 0);
  }

  /**
   * Tests the scripts that were added last, as {@link #match(Bytes, Hash256)} tests all.
   *
   * @param from the index of the first one, at most {@link #size}
   */
  public int[] match(Bytes filter, Hash256 block, int from) {
    int elements = decode(filter);
    long range = elements * Parameters.BASIC_M;
    SipHash hash = Parameters.basic(block).hash();
    int[] found = NONE;
    int hits = 0;
    int start = from == 0 ? 0 : ends[from - 1];
    for (int script = from; script < scripts; script++) {
      int end = ends[script];
      long place = GolombCodedSet.place(hash.hash(words, start, end), range);
      start = end;
      if ((bitmap[word(place)] & 1L << place) != 0
          && Arrays.binarySearch(values, 0, elements, place) >= 0) {
        if (hits == found.length) {
          found = Arrays.copyOf(found, Math.max(8, 2 * hits));
        }
        found[hits++] = script;
      }
    }
    return hits == 0 ? NONE : Arrays.copyOf(found, hits);
  }

  /** Fills the values and the bitmap; returns the number of values. */
  private int decode(Bytes filter) {
    ByteReader in = new ByteReader(filter.unsafeArray());
    long count = in.compactSize();
    // An element takes at least P + 1 bits. A count of 2^63 or more is negative here.
    if (count < 0 || count > 8L * in.remaining() / (Parameters.BASIC_P + 1)) {
      throw new MalformedException(
          Long.toUnsignedString(count) + " elements in " + in.remaining() + " bytes", 0);
    }
    int elements = (int) count;
    if (elements > values.length) {
      values = new long[elements];
    }
    Arrays.fill(bitmap, 0);
    BitInput bits = new BitInput(filter.unsafeArray(), in.position());
    long range = elements * Parameters.BASIC_M;
    long value = 0;
    for (int i = 0; i < elements; i++) {
      value += bits.readRice(Parameters.BASIC_P);
      if (value >= range) {
        throw new MalformedException("element " + i + " lies beyond the range", in.position());
      }
      values[i] = value;
      bitmap[word(value)] |= 1L << value;
    }
    if (!bits.atEnd()) {
      throw new MalformedException("something is left after the last element", in.position());
    }
    return elements;
  }

  /** The word of the bitmap for a value; the lowest 6 bits of the value choose the bit in it. */
  private static int word(long value) {
    return (int) value >>> 6 & BITMAP_BITS / Long.SIZE - 1;
  }
}
