package org.murmur.wallet.privacy;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterRole;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * A filter that the next sync would send.
 *
 * @param to the receivers; if the tweak is drawn, each gets one of its own tweak
 * @param role its role; null if it holds scripts and outpoints together
 * @param epoch which frozen epoch of its role; empty if it holds no epoch
 * @param parameters its size and functions; the tweak counts only if it is not drawn
 * @param tweakDrawn whether the tweak will be random, so that the filter is a new one
 * @param shownBefore whether these peers got the very same filter before
 * @param scripts how many of the wallet's scripts it holds
 * @param usedScripts how many of these occur on the chain
 * @param outPoints how many outpoints it holds
 * @param rate its false-positive rate: the actual one if it was made before, the expected one
 *     otherwise
 */
public record NextFilter(
    List<NodeAddress> to,
    @Nullable FilterRole role,
    OptionalInt epoch,
    FilterParameters parameters,
    boolean tweakDrawn,
    boolean shownBefore,
    int scripts,
    int usedScripts,
    int outPoints,
    double rate) {

  /** Copies the list. */
  public NextFilter {
    to = List.copyOf(to);
  }
}
