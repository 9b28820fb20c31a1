package org.murmur.lab.families.kinds;

import java.util.Collection;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.lab.families.filter.FilterFamily;
import org.murmur.lab.families.filter.Plan;
import org.murmur.lab.families.filter.SetFilter;

/** A family whose filters start empty and get their elements one by one. */
interface OneByOne extends FilterFamily {

  SetFilter empty(Plan plan);

  @Override
  default SetFilter build(Plan plan, Collection<Bytes> elements) {
    require(plan, elements);
    SetFilter filter = empty(plan);
    elements.forEach(filter::add);
    return filter;
  }
}
