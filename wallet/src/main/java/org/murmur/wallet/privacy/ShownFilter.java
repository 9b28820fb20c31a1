package org.murmur.wallet.privacy;

import java.time.Instant;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.internal.privacy.LoadEstimate;
import org.murmur.bip37.internal.privacy.Rates;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * A filter that a peer got, or was about to get when the program ended.
 *
 * @param load the number of its last load in the wallet's life, ascending in time
 * @param peer the receiver
 * @param time when it was last sent
 * @param first when it was first sent
 * @param times how many times it was sent; to see it again reveals nothing new
 * @param parameters its size, functions, tweak and flag
 * @param bitsSet how many of its bits were set, as the {@code filterload} carried it
 * @param role its role; null if it holds scripts and outpoints together
 * @param epoch which frozen epoch of its role it holds; empty if it holds no epoch
 * @param scripts how many of the wallet's scripts it holds
 * @param usedScripts how many of these occur on the chain
 * @param outPoints how many outpoints it holds
 * @param inTheClear how many elements {@code filteradd} brought later, each of them named
 * @param serverAdded how many times the server inserted an outpoint of its own accord, at most
 * @param serverRate the false-positive rate of the server-side filter with all its additions, which
 *     determines the traffic; an observer that kept the filter as sent can use {@link #rate}
 */
public record ShownFilter(
    long load,
    NodeAddress peer,
    Instant time,
    Instant first,
    int times,
    FilterParameters parameters,
    int bitsSet,
    @Nullable FilterRole role,
    OptionalInt epoch,
    int scripts,
    int usedScripts,
    int outPoints,
    int inTheClear,
    int serverAdded,
    double serverRate) {

  /**
   * {@return the actual false-positive rate of the filter as it was sent, from the bits set; 0 to
   * 1}
   */
  public double rate() {
    return Math.pow(load(parameters, bitsSet), parameters.hashFunctions());
  }

  private static double load(FilterParameters of, int set) {
    return of.bits() == 0 ? 1 : set / (double) of.bits();
  }

  /** {@return the share of bits that are set, 0 to 1} */
  public double fill() {
    return load(parameters, bitsSet);
  }

  /**
   * Returns how many of the universe's scripts match by chance.
   *
   * @param universe the universe
   * @return F
   */
  public double decoys(Universe universe) {
    return universe.matches(usedScripts, rate()).decoys();
  }

  /**
   * Returns how deniable an element is: the chance that each bit it sets is also set by a foreign
   * script that matches (M10). It soon reaches 1, and does not cover linked addresses.
   *
   * @param universe the universe
   * @return 0 to 1
   */
  public double deniability(Universe universe) {
    FilterParameters p = parameters;
    return bitsSet == 0
        ? 1
        : Rates.deniability(p.bits(), p.hashFunctions(), estimatedElements(), decoys(universe))
            .value();
  }

  /**
   * {@return how many elements the filter holds, as an observer can estimate it (M4); an estimate;
   * infinite if all bits are set}
   */
  public double estimatedElements() {
    return estimate().elements();
  }

  /** {@return the error of that estimate, one standard deviation, in elements} */
  public double estimateDeviation() {
    return estimate().deviation();
  }

  private LoadEstimate estimate() {
    return LoadEstimate.of(parameters.bits(), parameters.hashFunctions(), bitsSet);
  }
}
