package org.murmur.lab.families.kinds;

import org.jspecify.annotations.Nullable;
import org.murmur.lab.families.filter.Plan;

/** One of those that are a Bloom filter at heart: as large as the number of places says. */
interface BloomLike extends OneByOne {

  @Override
  default @Nullable String refusal(Plan plan) {
    return BloomShape.fits(plan) ? null : "too large for this comparison";
  }
}
