package org.murmur.wallet.internal.books;

import java.util.List;
import org.murmur.bip37.SizeClass;
import org.murmur.wallet.internal.store.StoredWallet;

/**
 * The epoch of each script, if filters hold epochs. It follows from the descriptors alone, so that
 * a wallet restored from its words has the same ones.
 *
 * <p>Epoch e holds the keys with index {@value #KEYS}·e to {@value #KEYS}·(e + 1) - 1 of every
 * chain. If these are more than the largest size class holds, the chains are split into groups with
 * epochs of their own; so are single addresses.
 */
final class ScriptEpochs {

  /** Keys of one chain in one epoch. */
  static final int KEYS = 1_000;

  /** Chains whose keys fit into the largest size class together. */
  private static final int CHAINS = SizeClass.MAX_ELEMENTS / KEYS;

  /** Single addresses in one epoch. */
  private static final int SINGLES = CHAINS * KEYS;

  // For every chain, the number of earlier ones of its kind, ranged or not.
  private final int[] place;
  private final boolean[] ranged;
  private final int rangedGroups;
  private final int groups;

  ScriptEpochs(List<StoredWallet.Chain> chains) {
    place = new int[chains.size()];
    ranged = new boolean[chains.size()];
    int many = 0;
    int singles = 0;
    for (int i = 0; i < place.length; i++) {
      ranged[i] = chains.get(i).ranged();
      place[i] = ranged[i] ? many++ : singles++;
    }
    rangedGroups = (many + CHAINS - 1) / CHAINS;
    groups = rangedGroups + (singles + SINGLES - 1) / SINGLES;
  }

  /** The number of the epoch that holds a key of a chain. */
  int of(int chain, int child) {
    return ranged[chain]
        ? child / KEYS * groups + place[chain] / CHAINS
        : rangedGroups + place[chain] / SINGLES;
  }

  /**
   * The number of keys of each chain in the fewest whole epochs that hold at least this many; never
   * zero epochs.
   */
  static int whole(int keys) {
    return Math.max(1, (keys + KEYS - 1) / KEYS) * KEYS;
  }
}
