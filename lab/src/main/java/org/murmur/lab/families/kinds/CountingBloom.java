package org.murmur.lab.families.kinds;

import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.families.filter.Feature;
import org.murmur.lab.families.filter.FilterFamily;
import org.murmur.lab.families.filter.PackedArray;
import org.murmur.lab.families.filter.Plan;
import org.murmur.lab.families.filter.SetFilter;
import org.murmur.lab.families.filter.Theory;

/**
 * The counting Bloom filter (Fan et al. 2000): a four-bit counter instead of each bit. A counter
 * that has reached 15 never changes again. So the filter has no false negatives, but may still
 * match deleted elements.
 */
final class CountingBloom implements BloomLike {

  private static final int COUNTER_BITS = 4;
  private static final int FULL = 15;

  @Override
  public String name() {
    return "counting";
  }

  @Override
  public Set<Feature> features() {
    return Set.of(Feature.ADD, Feature.DELETE, Feature.MERGE);
  }

  @Override
  public double bitsInTheory(double rate) {
    return COUNTER_BITS * Theory.bloomBits(rate);
  }

  @Override
  public SetFilter empty(Plan plan) {
    return new Filter(this, plan);
  }

  private static final class Filter extends KeyedFilter {
    private final BloomShape shape;
    private final PackedArray counters;
    private long placesSet;

    Filter(FilterFamily family, Plan plan) {
      super(family, plan);
      this.shape = BloomShape.of(plan);
      this.counters = new PackedArray(shape.places(), COUNTER_BITS);
    }

    @Override
    public boolean mayContain(Bytes element) {
      return mayContain(hash.of(element));
    }

    private boolean mayContain(long hashed) {
      for (int i = 0; i < shape.functions(); i++) {
        if (counters.get(shape.place(hashed, i)) == 0) {
          return false;
        }
      }
      return true;
    }

    @Override
    public long bits() {
      return counters.bits();
    }

    @Override
    public double expectedRate() {
      return shape.rate(placesSet);
    }

    @Override
    public boolean add(Bytes element) {
      long hashed = hash.of(element);
      for (int i = 0; i < shape.functions(); i++) {
        raise(shape.place(hashed, i), 1);
      }
      return true;
    }

    private void raise(int place, long by) {
      long before = counters.get(place);
      counters.set(place, Math.min(FULL, before + by));
      if (before == 0 && by > 0) {
        placesSet++;
      }
    }

    @Override
    public boolean delete(Bytes element) {
      long hashed = hash.of(element);
      if (!mayContain(hashed)) {
        return false;
      }
      for (int i = 0; i < shape.functions(); i++) {
        int place = shape.place(hashed, i);
        long before = counters.get(place);
        if (before > 0 && before < FULL) {
          counters.set(place, before - 1);
          placesSet -= before == 1 ? 1 : 0;
        }
      }
      return true;
    }

    @Override
    public void merge(SetFilter other) {
      Filter same = (Filter) samePlan(other);
      for (int place = 0; place < shape.places(); place++) {
        raise(place, same.counters.get(place));
      }
    }
  }
}
