package org.murmur.lab.families;

import java.util.BitSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The blocked Bloom filter (Putze, Sanders and Singler 2007). A hash picks one block of 512 bits, a
 * cache line, and all bits of an element lie in that block. Some blocks get more elements than
 * others, which costs some bits.
 */
final class BlockedBloom extends PlacesFilter {

  private static final int BLOCK_BITS = 512;
  private static final int MAX_FUNCTIONS = 40;

  /** The most bits per element: a block then holds only four elements. */
  private static final double MAX_BITS = 128;

  static final FilterFamily FAMILY =
      new FilterFamily(
          "blocked",
          FilterFamily.OURS,
          Set.of(Feature.ADD, Feature.MERGE),
          rate -> Shape.of(rate).bitsEach,
          BlockedBloom::refusal,
          FilterFamily.filling((family, plan, more) -> of(family, plan)));

  private final int blocks;
  private final BitSet set;

  private static @Nullable String refusal(Plan plan) {
    double bits = Shape.of(plan.rate()).bitsEach;
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

  private static SetFilter of(FilterFamily family, Plan plan) {
    Shape shape = Shape.of(plan.rate());
    int blocks = (int) Math.ceil(plan.capacity() * shape.bitsEach / BLOCK_BITS);
    return new BlockedBloom(family, plan, shape, blocks);
  }

  private BlockedBloom(FilterFamily family, Plan plan, Shape shape, int blocks) {
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
    set.or(((BlockedBloom) samePlan(other)).set);
  }
}
