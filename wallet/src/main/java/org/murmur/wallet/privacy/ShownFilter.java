package org.murmur.wallet.privacy;

import java.time.Instant;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.privacy.LoadEstimate;
import org.murmur.bip37.privacy.Rates;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * A filter that a peer got, or was about to get when the program ended.
 *
 * @param load its number in the wallet's life, ascending in time
 * @param peer the receiver
 * @param time when
 * @param sent as the {@code filterload} carried it
 * @param role its role; null if it holds scripts and outpoints together
 * @param epoch which frozen epoch of its role it holds; empty if it holds no epoch
 * @param scripts how many of the wallet's scripts {@code sent} holds
 * @param usedScripts how many of these occur on the chain
 * @param outPoints how many outpoints {@code sent} holds
 * @param inTheClear how many elements {@code filteradd} brought later, each of them named; empty if
 *     an older version of the program did not record it
 * @param serverAdded how many times the server inserted an outpoint of its own accord, at most
 * @param serverRate the false-positive rate of the server-side filter with all its additions, which
 *     determines the traffic; an observer that kept the filter as sent can use {@link #rate}
 */
public record ShownFilter(
    long load,
    NodeAddress peer,
    Instant time,
    BloomFilter sent,
    @Nullable FilterRole role,
    OptionalInt epoch,
    int scripts,
    int usedScripts,
    int outPoints,
    OptionalInt inTheClear,
    int serverAdded,
    double serverRate) {

  /**
   * Returns the actual false-positive rate of the filter as it was sent, from the bits set.
   *
   * @return 0 to 1
   */
  public double rate() {
    return sent.realisedRate();
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
    FilterParameters p = sent.parameters();
    return sent.bitsSet() == 0
        ? 1
        : Rates.deniability(p.bits(), p.hashFunctions(), estimatedElements(), decoys(universe))
            .value();
  }

  /**
   * Returns how many elements the filter holds, as an observer can estimate it (M4).
   *
   * @return an estimate; infinite if all bits are set
   */
  public double estimatedElements() {
    return LoadEstimate.of(sent).elements();
  }

  /**
   * Returns the error of that estimate.
   *
   * @return one standard deviation, in elements
   */
  public double estimateDeviation() {
    return LoadEstimate.of(sent).deviation();
  }
}
