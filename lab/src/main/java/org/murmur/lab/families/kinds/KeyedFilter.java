package org.murmur.lab.families.kinds;

import org.murmur.lab.families.filter.FilterFamily;
import org.murmur.lab.families.filter.KeyedHash;
import org.murmur.lab.families.filter.Plan;
import org.murmur.lab.families.filter.SetFilter;

/** A filter whose hash function has its key from the plan's seed. */
abstract class KeyedFilter implements SetFilter {

  final FilterFamily family;
  final Plan plan;
  final KeyedHash hash;

  KeyedFilter(FilterFamily family, Plan plan) {
    this.family = family;
    this.plan = plan;
    this.hash = new KeyedHash(plan.seed());
  }

  @Override
  public final FilterFamily family() {
    return family;
  }

  /** Refuses to merge a filter of another family or plan. */
  final SetFilter samePlan(SetFilter other) {
    if (other.getClass() != getClass() || !((KeyedFilter) other).plan.equals(plan)) {
      throw new IllegalArgumentException("not of the same plan");
    }
    return other;
  }
}
