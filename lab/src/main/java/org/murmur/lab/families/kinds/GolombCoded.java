package org.murmur.lab.families.kinds;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.internal.gcs.GolombCodedSet;
import org.murmur.bip37.internal.gcs.GolombCodedSet.Parameters;
import org.murmur.lab.families.filter.FilterFamily;
import org.murmur.lab.families.filter.KeyedHash;
import org.murmur.lab.families.filter.Plan;
import org.murmur.lab.families.filter.SetFilter;

/**
 * The Golomb-coded set of BIP-0158 with P and M for the planned rate: sorted hashes, their
 * differences in a code of variable length. Small, but a query must read from the start.
 */
final class GolombCoded implements FilterFamily {

  @Override
  public String name() {
    return "golomb";
  }

  @Override
  public String source() {
    return "Murmur (BIP158)";
  }

  @Override
  public double bitsInTheory(double rate) {
    return Parameters.forRate(rate, new KeyedHash(0).sipHash()).bitsPerElement();
  }

  @Override
  public @Nullable String refusal(Plan plan) {
    return plan.rate() > 0x1p-32 ? null : "BIP158's hash is too short for such a rate";
  }

  @Override
  public SetFilter build(Plan plan, Collection<Bytes> elements) {
    require(plan, elements);
    KeyedHash hash = new KeyedHash(plan.seed());
    return new Filter(
        this, GolombCodedSet.of(Parameters.forRate(plan.rate(), hash.sipHash()), elements));
  }

  private record Filter(FilterFamily family, GolombCodedSet set) implements SetFilter {

    @Override
    public boolean mayContain(Bytes element) {
      return set.mayContain(element);
    }

    @Override
    public int countContained(Collection<Bytes> elements) {
      return set.countContained(elements);
    }

    @Override
    public long bits() {
      return set.codeBits();
    }

    @Override
    public double expectedRate() {
      return set.elements() == 0 ? 0 : set.distinct() / (set.elements() / textbookRate());
    }

    /** Ignores that two elements may have the same hash. */
    @Override
    public double textbookRate() {
      return 1.0 / set.parameters().m();
    }
  }
}
