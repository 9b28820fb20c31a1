package org.murmur.wallet.internal.disclosure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * All that one observer got of a wallet: the filters, and the scripts disclosed in the clear
 * because a transaction that it learned of pays them or spends their coins.
 *
 * @param filters in any order
 * @param disclosed indexes of scripts in the wallet's element log; must not change any more
 */
record Exposure(List<KnownFilter> filters, BitSet disclosed) {

  /** Of an observer that got nothing. */
  static final Exposure EMPTY = new Exposure(List.of(), new BitSet());

  /** Copies the list. */
  Exposure {
    filters = List.copyOf(filters);
  }

  /**
   * Adds filters.
   *
   * @param more filters that the same observer got
   */
  Exposure with(List<KnownFilter> more) {
    return and(new Exposure(more, new BitSet()));
  }

  /**
   * Merges two exposures.
   *
   * @param other that of another observer, or of the same one later
   */
  Exposure and(Exposure other) {
    List<KnownFilter> all = new ArrayList<>(filters);
    all.addAll(other.filters);
    BitSet both = (BitSet) disclosed.clone();
    both.or(other.disclosed);
    return new Exposure(all, both);
  }
}
