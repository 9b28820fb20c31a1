package org.murmur.lab.families.kinds;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.families.filter.Feature;
import org.murmur.lab.families.filter.FilterFamily;
import org.murmur.lab.families.filter.KeyedHash;
import org.murmur.lab.families.filter.Plan;
import org.murmur.lab.families.filter.SetFilter;
import org.murmur.lab.families.filter.Theory;

/**
 * The blocked Bloom filter (Putze, Sanders and Singler 2007). A hash picks one block of 512 bits, a
 * cache line, and all bits of an element lie in that block. Some blocks get more elements than
 * others, which costs some bits.
 */
final class BlockedBloom implements FilterFamily {

  private static final int BLOCK_BITS = 512;
  private static final int BLOCK_WORDS = BLOCK_BITS / 64;
  private static final int MAX_FUNCTIONS = 40;

  /** The most bits per element: a block then holds only four elements. */
  private static final double MAX_BITS = 128;

  @Override
  public String name() {
    return "blocked";
  }

  @Override
  public Set<Feature> features() {
    return Set.of(Feature.ADD, Feature.MERGE);
  }

  @Override
  public double bitsInTheory(double rate) {
    return Shape.of(rate).bitsEach;
  }

  @Override
  public @Nullable String refusal(Plan plan) {
    double bits = bitsInTheory(plan.rate());
    return bits > MAX_BITS || bits * plan.capacity() > 1 << 30
        ? "no size in reach gives this rate"
        : null;
  }

  /** The least bits per element, and the number of functions, for a rate. */
  private record Shape(double bitsEach, int functions) {

    static Shape of(double rate) {
      for (double bits = Theory.bloomBits(rate); bits <= MAX_BITS; bits += 0.1) {
        int around = (int) Math.round(bits * Theory.LN2);
        for (int k = Math.max(1, around / 2); k <= Math.min(MAX_FUNCTIONS, around + 1); k++) {
          if (rate(bits, k) <= rate) {
            return new Shape(bits, k);
          }
        }
      }
      return new Shape(Double.POSITIVE_INFINITY, 1);
    }

    /** The mean rate of blocks with 0, 1, 2, … elements, weighted by the Poisson distribution. */
    private static double rate(double bitsEach, int functions) {
      double mean = BLOCK_BITS / bitsEach;
      double chance = Math.exp(-mean);
      double rate = 0;
      int last = (int) (mean + 12 * Math.sqrt(mean) + 20);
      for (int elements = 0; elements <= last; elements++) {
        double clear = functions * elements * Math.log1p(-1.0 / BLOCK_BITS);
        rate += chance * Math.pow(-Math.expm1(clear), functions);
        chance *= mean / (elements + 1);
      }
      return rate;
    }
  }

  @Override
  public SetFilter build(Plan plan, Collection<Bytes> elements) {
    require(plan, elements);
    Filter filter = new Filter(this, plan, Shape.of(plan.rate()));
    elements.forEach(filter::add);
    return filter;
  }

  private static final class Filter extends KeyedFilter {
    private final int functions;
    private final int blocks;
    private final long[] words;

    Filter(FilterFamily family, Plan plan, Shape shape) {
      super(family, plan);
      this.functions = shape.functions;
      this.blocks = (int) Math.ceil(plan.capacity() * shape.bitsEach / BLOCK_BITS);
      this.words = new long[blocks * BLOCK_WORDS];
    }

    /** The bit of a function, counted from the start of the first block. */
    private int bit(long hashed, int function) {
      return KeyedHash.reduce(hashed, blocks) * BLOCK_BITS
          + KeyedHash.position(hashed, function, BLOCK_BITS);
    }

    @Override
    public boolean mayContain(Bytes element) {
      long hashed = hash.of(element);
      for (int i = 0; i < functions; i++) {
        int bit = bit(hashed, i);
        if ((words[bit >>> 6] >>> bit & 1) == 0) {
          return false;
        }
      }
      return true;
    }

    @Override
    public long bits() {
      return 64L * words.length;
    }

    @Override
    public double expectedRate() {
      double sum = 0;
      for (int block = 0; block < blocks; block++) {
        int set = 0;
        for (int i = 0; i < BLOCK_WORDS; i++) {
          set += Long.bitCount(words[block * BLOCK_WORDS + i]);
        }
        sum += Math.pow(set / (double) BLOCK_BITS, functions);
      }
      return sum / blocks;
    }

    @Override
    public boolean add(Bytes element) {
      long hashed = hash.of(element);
      for (int i = 0; i < functions; i++) {
        int bit = bit(hashed, i);
        words[bit >>> 6] |= 1L << bit;
      }
      return true;
    }

    @Override
    public void merge(SetFilter other) {
      Filter same = (Filter) samePlan(other);
      for (int i = 0; i < words.length; i++) {
        words[i] |= same.words[i];
      }
    }
  }
}
