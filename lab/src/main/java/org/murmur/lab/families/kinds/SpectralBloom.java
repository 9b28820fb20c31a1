package org.murmur.lab.families.kinds;

import java.util.Arrays;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.families.filter.Feature;
import org.murmur.lab.families.filter.FilterFamily;
import org.murmur.lab.families.filter.Plan;
import org.murmur.lab.families.filter.SetFilter;

/**
 * The spectral Bloom filter (Cohen and Matias 2003) in its simplest form: counters without a limit.
 * The least counter of an element is the number of times it was added ("minimum selection"). The
 * paper's two refinements give better counts, one of them without deletion. Each counter is sent in
 * Elias' gamma code: 1 bit for 0, 3 bits for 1 and 2, 5 bits for 3 to 6, and so on.
 */
final class SpectralBloom implements BloomLike {

  @Override
  public String name() {
    return "spectral";
  }

  @Override
  public Set<Feature> features() {
    return Set.of(Feature.ADD, Feature.DELETE, Feature.MERGE, Feature.COUNT);
  }

  @Override
  public double bitsInTheory(double rate) {
    // The number of hits per place has a Poisson distribution.
    double mean = BloomShape.hits(rate);
    double chance = Math.exp(-mean);
    double bits = 0;
    for (int count = 0; count < 30; count++) {
      bits += chance * codeBits(count);
      chance *= mean / (count + 1);
    }
    return BloomShape.functions(rate) / mean * bits;
  }

  private static int codeBits(int count) {
    return 2 * (31 - Integer.numberOfLeadingZeros(count + 1)) + 1;
  }

  @Override
  public SetFilter empty(Plan plan) {
    return new Filter(this, plan);
  }

  private static final class Filter extends KeyedFilter {
    private final BloomShape shape;
    private final int[] counters;

    Filter(FilterFamily family, Plan plan) {
      super(family, plan);
      this.shape = BloomShape.of(plan);
      this.counters = new int[shape.places()];
    }

    @Override
    public boolean mayContain(Bytes element) {
      return count(element) > 0;
    }

    @Override
    public int count(Bytes element) {
      long hashed = hash.of(element);
      int least = Integer.MAX_VALUE;
      for (int i = 0; i < shape.functions() && least > 0; i++) {
        least = Math.min(least, counters[shape.place(hashed, i)]);
      }
      return least;
    }

    @Override
    public long bits() {
      return Arrays.stream(counters).mapToLong(SpectralBloom::codeBits).sum();
    }

    @Override
    public double expectedRate() {
      return shape.rate(Arrays.stream(counters).filter(count -> count > 0).count());
    }

    @Override
    public boolean add(Bytes element) {
      long hashed = hash.of(element);
      for (int i = 0; i < shape.functions(); i++) {
        counters[shape.place(hashed, i)]++;
      }
      return true;
    }

    @Override
    public boolean delete(Bytes element) {
      if (!mayContain(element)) {
        return false;
      }
      long hashed = hash.of(element);
      for (int i = 0; i < shape.functions(); i++) {
        int place = shape.place(hashed, i);
        counters[place] = Math.max(0, counters[place] - 1);
      }
      return true;
    }

    @Override
    public void merge(SetFilter other) {
      Filter same = (Filter) samePlan(other);
      for (int place = 0; place < counters.length; place++) {
        counters[place] += same.counters[place];
      }
    }
  }
}
