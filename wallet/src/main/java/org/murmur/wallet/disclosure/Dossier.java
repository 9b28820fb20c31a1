package org.murmur.wallet.disclosure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * All that somebody was given of a wallet: the filters that it was shown, and the scripts that it
 * was told in the clear because a transaction that was named to it pays them or spends their coins.
 *
 * @param filters in any order
 * @param told indexes of scripts in the wallet's element log; nobody may change them any more
 */
record Dossier(List<Evidence> filters, BitSet told) {

  /** Of somebody who was given nothing. */
  static final Dossier EMPTY = new Dossier(List.of(), new BitSet());

  /** Copies the list. */
  Dossier {
    filters = List.copyOf(filters);
  }

  /**
   * Adds filters.
   *
   * @param more that were shown to the same observer
   * @return a new value
   */
  Dossier with(List<Evidence> more) {
    return and(new Dossier(more, new BitSet()));
  }

  /**
   * Puts two together.
   *
   * @param other what somebody else was given, or the same observer later
   * @return a new value
   */
  Dossier and(Dossier other) {
    List<Evidence> all = new ArrayList<>(filters);
    all.addAll(other.filters);
    BitSet both = (BitSet) told.clone();
    both.or(other.told);
    return new Dossier(all, both);
  }
}
