package org.murmur.lab.families;

import java.util.Arrays;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;

/**
 * The spectral Bloom filter (Cohen and Matias 2003) in its simplest form: counters without a limit.
 * The least counter of an element is the number of times it was added ("minimum selection"). The
 * paper's two refinements give better counts, one of them without deletion. Each counter is sent in
 * Elias' gamma code: 1 bit for 0, 3 bits for 1 and 2, 5 bits for 3 to 6, and so on.
 */
final class SpectralBloom extends PlacesFilter {

  static final FilterFamily FAMILY =
      new FilterFamily(
          "spectral",
          FilterFamily.OURS,
          Set.of(Feature.ADD, Feature.DELETE, Feature.MERGE, Feature.COUNT),
          SpectralBloom::bitsInTheory,
          BloomShape::refusal,
          FilterFamily.filling((family, plan, more) -> new SpectralBloom(family, plan)));

  private static double bitsInTheory(double rate) {
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

  private final int[] counters;

  SpectralBloom(FilterFamily family, Plan plan) {
    super(family, plan, BloomShape.of(plan));
    this.counters = new int[shape.places()];
  }

  @Override
  boolean isSet(int place) {
    return counters[place] > 0;
  }

  @Override
  public int count(Bytes element) {
    return least(element, place -> counters[place]);
  }

  @Override
  public long bits() {
    return Arrays.stream(counters).mapToLong(SpectralBloom::codeBits).sum();
  }

  @Override
  long placesSet() {
    return Arrays.stream(counters).filter(count -> count > 0).count();
  }

  @Override
  void raise(int place) {
    counters[place]++;
  }

  @Override
  void lower(int place) {
    counters[place] = Math.max(0, counters[place] - 1);
  }

  @Override
  public void merge(SetFilter other) {
    SpectralBloom same = (SpectralBloom) samePlan(other);
    Arrays.setAll(counters, place -> counters[place] + same.counters[place]);
  }
}
