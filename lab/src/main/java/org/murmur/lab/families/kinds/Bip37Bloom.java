package org.murmur.lab.families.kinds;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterSizing;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;

/** The Bloom filter of BIP-0037, within its limits. */
public final class Bip37Bloom extends FilterFamily {

  Bip37Bloom() {
    super("bloom", "Murmur (BIP37)", Feature.ADD, Feature.MERGE);
  }

  @Override
  public double bitsInTheory(double rate) {
    return Theory.bloomBits(rate);
  }

  @Override
  public @Nullable String refusal(Plan plan) {
    FilterSizing sizing = FilterSizing.of(plan.capacity(), plan.rate(), Rounding.BITCOINJ);
    return sizing.fitsBip37()
        ? null
        : "takes " + sizing.bytes() + " bytes, BIP37 allows " + FilterParameters.MAX_BYTES;
  }

  @Override
  SetFilter make(Plan plan, Collection<Bytes> elements) {
    BloomFilter.Builder builder =
        BloomFilter.builder(
            FilterParameters.of(
                plan.capacity(),
                plan.rate(),
                (int) KeyedHash.mix(plan.seed()),
                UpdateFlag.NONE,
                Rounding.BITCOINJ));
    elements.forEach(builder::add);
    return new Filter(this, plan, builder.build());
  }

  private static final class Filter extends SetFilter {
    private BloomFilter bloom;

    Filter(FilterFamily family, Plan plan, BloomFilter bloom) {
      super(family, plan);
      this.bloom = bloom;
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
      byte[] more = ((Filter) samePlan(other)).bloom.toPayload().unsafeArray();
      for (int i = 0; i < union.length; i++) {
        union[i] |= more[i];
      }
      bloom = BloomFilter.fromPayload(Bytes.wrap(union));
    }
  }
}
