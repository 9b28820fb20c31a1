package org.murmur.lab.families.kinds;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.PrimitiveSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.BitSet;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.families.filter.Feature;
import org.murmur.lab.families.filter.FilterFamily;
import org.murmur.lab.families.filter.Plan;
import org.murmur.lab.families.filter.SetFilter;
import org.murmur.lab.families.filter.Theory;
import org.murmur.lab.families.filter.TwoHashes;

/**
 * Guava's Bloom filter: k sums of the two halves of one 128-bit MurmurHash3. It has no key; the
 * seed is hashed before each element.
 */
final class GuavaBloom implements BloomLike {

  /** Strategy, number of functions and number of words come before the bits. */
  private static final int HEADER_BYTES = 6;

  private static final int FUNCTIONS_AT = 1;

  @Override
  public String name() {
    return "guava";
  }

  @Override
  public String source() {
    return "Guava 33.4.0-android";
  }

  @Override
  public Set<Feature> features() {
    return Set.of(Feature.ADD, Feature.MERGE);
  }

  @Override
  public double bitsInTheory(double rate) {
    return Theory.bloomBits(rate);
  }

  @Override
  public SetFilter empty(Plan plan) {
    return new Filter(
        this,
        plan.seed(),
        BloomFilter.create(new Seeded(plan.seed()), plan.capacity(), plan.rate()));
  }

  private record Seeded(long seed) implements Funnel<Bytes> {
    @Override
    public void funnel(Bytes from, PrimitiveSink into) {
      into.putLong(seed).putBytes(from.unsafeArray());
    }
  }

  private record Filter(FilterFamily family, long seed, BloomFilter<Bytes> bloom)
      implements SetFilter {

    @Override
    public boolean mayContain(Bytes element) {
      return bloom.mightContain(element);
    }

    private byte[] written() {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try {
        bloom.writeTo(out);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
      return out.toByteArray();
    }

    @Override
    public long bits() {
      return 8L * (written().length - HEADER_BYTES);
    }

    @Override
    public double expectedRate() {
      ByteBuffer written = ByteBuffer.wrap(written());
      int functions = written.get(FUNCTIONS_AT);
      LongBuffer words = written.position(HEADER_BYTES).asLongBuffer();
      int places = 64 * words.remaining();
      return TwoHashes.GUAVA.rate(BitSet.valueOf(words), places, functions, seed);
    }

    /** Returns load^k, which the library calls the expected rate. */
    @Override
    public double textbookRate() {
      return bloom.expectedFpp();
    }

    @Override
    public boolean add(Bytes element) {
      bloom.put(element);
      return true;
    }

    @Override
    public void merge(SetFilter other) {
      if (!(other instanceof Filter same) || !bloom.isCompatible(same.bloom)) {
        throw new IllegalArgumentException("not of the same plan");
      }
      bloom.putAll(same.bloom);
    }
  }
}
