package org.murmur.lab.families;

import java.util.Set;

/**
 * The counting Bloom filter (Fan et al. 2000): a four-bit counter instead of each bit. A counter
 * that has reached 15 never changes again. So the filter has no false negatives, but may still
 * match deleted elements.
 */
final class CountingBloom extends PlacesFilter {

  private static final int COUNTER_BITS = 4;
  private static final int FULL = 15;

  static final FilterFamily FAMILY =
      new FilterFamily(
          "counting",
          FilterFamily.OURS,
          Set.of(Feature.ADD, Feature.DELETE, Feature.MERGE),
          rate -> COUNTER_BITS * Theory.bloomBits(rate),
          BloomShape::refusal,
          FilterFamily.filling((family, plan, more) -> new CountingBloom(family, plan)));

  private final PackedArray counters;
  private long placesSet;

  CountingBloom(FilterFamily family, Plan plan) {
    super(family, plan, BloomShape.of(plan));
    this.counters = new PackedArray(shape.places(), COUNTER_BITS);
  }

  @Override
  boolean isSet(int place) {
    return counters.get(place) > 0;
  }

  @Override
  public long bits() {
    return counters.bits();
  }

  @Override
  long placesSet() {
    return placesSet;
  }

  @Override
  void raise(int place) {
    raise(place, 1);
  }

  private void raise(int place, long by) {
    long before = counters.get(place);
    counters.set(place, Math.min(FULL, before + by));
    placesSet += before == 0 && by > 0 ? 1 : 0;
  }

  @Override
  void lower(int place) {
    long before = counters.get(place);
    if (before > 0 && before < FULL) {
      counters.set(place, before - 1);
      placesSet -= before == 1 ? 1 : 0;
    }
  }

  @Override
  public void merge(SetFilter other) {
    CountingBloom same = (CountingBloom) samePlan(other);
    for (int place = 0; place < shape.places(); place++) {
      raise(place, same.counters.get(place));
    }
  }
}
