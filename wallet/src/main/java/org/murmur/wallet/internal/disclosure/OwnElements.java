package org.murmur.wallet.internal.disclosure;

import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * The wallet's elements, by indexes of its element log, which an observer tries to find out. Coins
 * are outpoints and the script that each pays. Clusters are two or more scripts that the chain
 * links, by being spent together or paid as change.
 */
record OwnElements(
    BitSet scripts, BitSet used, Map<Integer, Integer> coins, List<BitSet> clusters) {

  /** Copies everything but the bit sets, which must not change any more. */
  OwnElements {
    coins = Map.copyOf(coins);
    clusters = List.copyOf(clusters);
  }
}
