package org.murmur.lab.families;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterSizing;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;

/** The Bloom filter of BIP-0037, within its limits. */
final class Bip37Bloom extends SetFilter {

  static final FilterFamily FAMILY =
      new FilterFamily(
          "bloom",
          "Murmur (BIP37)",
          Set.of(Feature.ADD, Feature.MERGE),
          Theory::bloomBits,
          Bip37Bloom::refusal,
          Bip37Bloom::new);

  private BloomFilter bloom;

  Bip37Bloom(FilterFamily family, Plan plan, Collection<Bytes> elements) {
    super(family, plan);
    int tweak = (int) KeyedHash.mix(plan.seed());
    BloomFilter.Builder builder =
        BloomFilter.builder(
            FilterParameters.of(
                plan.capacity(), plan.rate(), tweak, UpdateFlag.NONE, Rounding.BITCOINJ));
    elements.forEach(builder::add);
    this.bloom = builder.build();
  }

  private static @Nullable String refusal(Plan plan) {
    FilterSizing sizing = FilterSizing.of(plan.capacity(), plan.rate(), Rounding.BITCOINJ);
    return sizing.fitsBip37()
        ? null
        : "takes " + sizing.bytes() + " bytes, BIP37 allows " + FilterParameters.MAX_BYTES;
  }

  @Override
  public boolean mayContain(Bytes element) {
    return bloom.contains(element);
  }

  @Override
  public long bits() {
    return bloom.parameters().bits();
  }

  @Override
  public double expectedRate() {
    return bloom.realisedRate();
  }

  @Override
  public boolean add(Bytes element) {
    bloom = bloom.with(element);
    return true;
  }

  @Override
  public void merge(SetFilter other) {
    // The bytes before and after the bits are equal in both, so the bitwise OR does not change
    // them.
    byte[] union = bloom.toPayload().toArray();
    byte[] more = ((Bip37Bloom) samePlan(other)).bloom.toPayload().unsafeArray();
    for (int i = 0; i < union.length; i++) {
      union[i] |= more[i];
    }
    bloom = BloomFilter.fromPayload(Bytes.wrap(union));
  }
}
