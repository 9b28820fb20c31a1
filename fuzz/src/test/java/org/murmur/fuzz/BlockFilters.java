package org.murmur.fuzz;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.internal.gcs.FilterMatcher;
import org.murmur.bip37.internal.gcs.GolombCodedSet.Parameters;

/**
 * A basic block filter (BIP-0158), against a decoder that reads single bits: both accept the same
 * filters and find the same scripts in them. The input is a block hash, the length of a script, the
 * script and the filter.
 */
public final class BlockFilters {

  private BlockFilters() {}

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length < Hash256.LENGTH + 2) {
      return;
    }
    Hash256 block = Hash256.read(input, 0);
    int from = Hash256.LENGTH + 1;
    int to = Math.min(from + Math.max(1, input[Hash256.LENGTH] & 0xff), input.length);
    Bytes script = Bytes.of(input, from, to);
    Bytes filter = Bytes.of(input, to, input.length);
    Plain plain = Plain.read(filter.toArray());
    FilterMatcher matcher = new FilterMatcher();
    matcher.add(Bytes.of(new byte[] {1}));
    matcher.add(script);
    int[][] found = new int[1][];
    try {
      Check.frugally(input.length, () -> found[0] = matcher.match(filter, block));
    } catch (MalformedException e) {
      Check.that(plain == null, "refused: " + e.getMessage());
      return;
    }
    if (plain == null) {
      throw new AssertionError("accepted");
    }
    boolean matches = Arrays.stream(found[0]).anyMatch(index -> index == 1);
    Check.equal(matches, plain.has(script, block), "whether the script matches");
  }

  /** The values of a filter, as BIP-0158's pseudocode reads them. */
  private record Plain(Set<Long> values, long range) {

    boolean has(Bytes script, Hash256 block) {
      long hash = Parameters.basic(block).hash().hash(script.toArray());
      BigInteger unsigned = new BigInteger(Long.toUnsignedString(hash));
      BigInteger place = unsigned.multiply(BigInteger.valueOf(range)).shiftRight(64);
      return values.contains(place.longValueExact());
    }

    /** Returns null if these are not the bytes of a filter. */
    static @Nullable Plain read(byte[] filter) {
      int head = filter.length == 0 ? 0 : filter[0] & 0xff;
      int first = head < 0xfd ? 1 : head == 0xfd ? 3 : head == 0xfe ? 5 : 9;
      if (filter.length < first || first == 9) {
        return null;
      }
      long count = head;
      if (first > 1) {
        count = 0;
        for (int i = first - 1; i > 0; i--) {
          count = count << 8 | (filter[i] & 0xff);
        }
      }
      if (first > 1 && count < (first == 3 ? 0xfd : 0x10000)) {
        return null;
      }
      Bits bits = new Bits(filter, first);
      Set<Long> values = new HashSet<>();
      long value = 0;
      for (long i = 0; i < count; i++) {
        while (bits.next() == 1) {
          value += 1L << Parameters.BASIC_P;
        }
        long low = 0;
        for (int bit = 0; bit < Parameters.BASIC_P; bit++) {
          low = low << 1 | bits.next();
        }
        value += low;
        if (bits.ended() || value >= count * Parameters.BASIC_M) {
          return null;
        }
        values.add(value);
      }
      return bits.onlyPaddingLeft() ? new Plain(values, count * Parameters.BASIC_M) : null;
    }
  }

  /** Single bits, the most significant one of each byte first; zeros behind the end. */
  private static final class Bits {

    private final byte[] bytes;
    private long at;

    Bits(byte[] bytes, int from) {
      this.bytes = bytes;
      this.at = 8L * from;
    }

    int next() {
      int index = (int) (at / 8);
      int bit = index < bytes.length ? bytes[index] >> (7 - at % 8) & 1 : 0;
      at++;
      return bit;
    }

    boolean ended() {
      return at > 8L * bytes.length;
    }

    boolean onlyPaddingLeft() {
      long left = 8L * bytes.length - at;
      for (long i = 0; i < left; i++) {
        if (next() == 1) {
          return false;
        }
      }
      return left < 8;
    }
  }
}
