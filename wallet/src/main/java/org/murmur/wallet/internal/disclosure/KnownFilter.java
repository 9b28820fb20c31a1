package org.murmur.wallet.internal.disclosure;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;

/**
 * A filter as the calculation sees it.
 *
 * @param order ascending in time
 * @param parameters of a filter that is still to be made: with any tweak
 * @param drawn whether its tweak is still to be drawn, and will be unique
 * @param role its role; null if it holds scripts and outpoints together
 * @param bitsSet how many bits are set; two filters of the same parameters and bits are the same
 * @param held the indexes in the element log of what it held when it was sent
 */
record KnownFilter(
    long order,
    FilterParameters parameters,
    boolean drawn,
    @Nullable FilterRole role,
    int bitsSet,
    double rate,
    BitSet held,
    BitSet named) {

  /** Whether it is the same filter as another one. */
  boolean isSame(KnownFilter other) {
    return !drawn
        && !other.drawn
        && parameters.equals(other.parameters)
        && bitsSet == other.bitsSet
        && held.equals(other.held);
  }

  /**
   * Whether its false positives depend on those of the other one. With one tweak and one size
   * dividing the other, an element that passes the larger filter passes the smaller one (measured,
   * O23). Sizes that do not divide each other behave as independent.
   */
  boolean isNested(KnownFilter other) {
    int mine = parameters.bytes();
    int others = other.parameters.bytes();
    return !drawn
        && !other.drawn
        && parameters.tweak() == other.parameters.tweak()
        && mine > 0
        && others > 0
        && (mine % others == 0 || others % mine == 0);
  }
}
