package org.murmur.wallet.internal.disclosure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * All that one observer got of a wallet: the filters, in any order, and the scripts disclosed in
 * the clear because a transaction that it learned of pays them or spends their coins, as indexes in
 * the element log.
 */
record Exposure(List<KnownFilter> filters, BitSet disclosed) {

  /** Of an observer that got nothing. */
  static final Exposure EMPTY = new Exposure(List.of(), new BitSet());

  Exposure {
    filters = List.copyOf(filters);
  }

  /** Adds filters that the same observer got. */
  Exposure with(List<KnownFilter> more) {
    return and(new Exposure(more, new BitSet()));
  }

  /** Merges that of another observer, or of the same one later. */
  Exposure and(Exposure other) {
    List<KnownFilter> all = new ArrayList<>(filters);
    all.addAll(other.filters);
    BitSet both = (BitSet) disclosed.clone();
    both.or(other.disclosed);
    return new Exposure(all, both);
  }
}
