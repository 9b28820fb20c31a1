package org.murmur.lab.families.kinds;

import org.jspecify.annotations.Nullable;
import org.murmur.lab.families.filter.Plan;

/** A family based on a Bloom filter: the number of places determines the size. */
interface BloomLike extends OneByOne {

  @Override
  default @Nullable String refusal(Plan plan) {
    return BloomShape.fits(plan) ? null : "too large for this comparison";
  }
}
