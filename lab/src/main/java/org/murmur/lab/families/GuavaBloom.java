package org.murmur.lab.families;

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

/**
 * Guava's Bloom filter: k sums of the two halves of one 128-bit MurmurHash3. It has no key; the
 * seed is hashed before each element.
 */
final class GuavaBloom extends SetFilter {

  /** Strategy, number of functions and number of words come before the bits. */
  private static final int HEADER_BYTES = 6;

  private static final int FUNCTIONS_AT = 1;

  static final FilterFamily FAMILY =
      new FilterFamily(
          "guava",
          "Guava 33.4.0-android",
          Set.of(Feature.ADD, Feature.MERGE),
          Theory::bloomBits,
          BloomShape::refusal,
          FilterFamily.filling((family, plan, more) -> new GuavaBloom(family, plan)));

  private record Seeded(long seed) implements Funnel<Bytes> {
    @Override
    public void funnel(Bytes from, PrimitiveSink into) {
      into.putLong(seed).putBytes(from.unsafeArray());
    }
  }

  private final BloomFilter<Bytes> bloom;

  GuavaBloom(FilterFamily family, Plan plan) {
    super(family, plan);
    this.bloom = BloomFilter.create(new Seeded(plan.seed()), plan.capacity(), plan.rate());
  }

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
    return TwoHashes.GUAVA.rate(BitSet.valueOf(words), places, functions, plan.seed());
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
    bloom.putAll(((GuavaBloom) samePlan(other)).bloom);
  }
}
