package org.murmur.lab.families;

import java.util.Collection;
import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.internal.gcs.GolombCodedSet;
import org.murmur.bip37.internal.gcs.GolombCodedSet.Parameters;

/**
 * The Golomb-coded set of BIP-0158 with P and M for the planned rate: sorted hashes, their
 * differences in a code of variable length. Small, but a query must read from the start.
 */
final class GolombCoded extends SetFilter {

  static final FilterFamily FAMILY =
      new FilterFamily(
          "golomb",
          "Murmur (BIP158)",
          Set.of(),
          rate -> Parameters.forRate(rate, new KeyedHash(0).sipHash()).bitsPerElement(),
          plan -> plan.rate() > 0x1p-32 ? null : "BIP158's hash is too short for such a rate",
          GolombCoded::new);

  private final GolombCodedSet set;

  GolombCoded(FilterFamily family, Plan plan, Collection<Bytes> elements) {
    super(family, plan);
    this.set = GolombCodedSet.of(Parameters.forRate(plan.rate(), hash.sipHash()), elements);
  }

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
