package org.murmur.wallet.disclosure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * All that somebody was given of a wallet: the filters that it was shown, and the scripts that it
 * was sent in the clear because a transaction that was named to it pays them or spends their coins.
 *
 * @param filters in any order
 * @param disclosed indexes of scripts in the wallet's element log; nobody may change them any more
 */
record Exposure(List<KnownFilter> filters, BitSet disclosed) {

  /** Of somebody who was given nothing. */
  static final Exposure EMPTY = new Exposure(List.of(), new BitSet());

  /** Copies the list. */
  Exposure {
    filters = List.copyOf(filters);
  }

  /**
   * Adds filters.
   *
   * @param more that were shown to the same observer
   * @return a new value
   */
  Exposure with(List<KnownFilter> more) {
    return and(new Exposure(more, new BitSet()));
  }

  /**
   * Puts two together.
   *
   * @param other what somebody else was given, or the same observer later
   * @return a new value
   */
  Exposure and(Exposure other) {
    List<KnownFilter> all = new ArrayList<>(filters);
    all.addAll(other.filters);
    BitSet both = (BitSet) disclosed.clone();
    both.or(other.disclosed);
    return new Exposure(all, both);
  }
}
