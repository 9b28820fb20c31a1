package org.murmur.lab.families.kinds;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The blocked Bloom filter (Putze, Sanders and Singler 2007). A hash picks one block of 512 bits, a
 * cache line, and all bits of an element lie in that block. Some blocks get more elements than
 * others, which costs some bits.
 */
final class BlockedBloom extends FilterFamily {

  private static final int BLOCK_BITS = 512;
  private static final int MAX_FUNCTIONS = 40;

  /** The most bits per element: a block then holds only four elements. */
  private static final double MAX_BITS = 128;

  BlockedBloom() {
    super("blocked", Feature.ADD, Feature.MERGE);
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
  SetFilter empty(Plan plan, int more) {
    return new Filter(this, plan, Shape.of(plan.rate()));
  }

  private static final class Filter extends PlacesFilter {
    private final int blocks;
    private final BitSet set;

    Filter(FilterFamily family, Plan plan, Shape shape) {
      this(family, plan, shape, (int) Math.ceil(plan.capacity() * shape.bitsEach / BLOCK_BITS));
    }

    private Filter(FilterFamily family, Plan plan, Shape shape, int blocks) {
      super(family, plan, new BloomShape(blocks * BLOCK_BITS, shape.functions));
      this.blocks = blocks;
      this.set = new BitSet(blocks * BLOCK_BITS);
    }

    /** Counted from the start of the first block. */
    @Override
    int place(long hashed, int i) {
      return KeyedHash.reduce(hashed, blocks) * BLOCK_BITS
          + KeyedHash.position(hashed, i, BLOCK_BITS);
    }

    @Override
    boolean isSet(int place) {
      return set.get(place);
    }

    @Override
    public long bits() {
      return shape.places();
    }

    @Override
    long placesSet() {
      return set.cardinality();
    }

    @Override
    public double expectedRate() {
      double sum = 0;
      for (int bit = 0; bit < shape.places(); bit += BLOCK_BITS) {
        int here = set.get(bit, bit + BLOCK_BITS).cardinality();
        sum += Math.pow(here / (double) BLOCK_BITS, shape.functions());
      }
      return sum / blocks;
    }

    @Override
    void raise(int place) {
      set.set(place);
    }

    @Override
    public void merge(SetFilter other) {
      set.or(((Filter) samePlan(other)).set);
    }
  }
}
