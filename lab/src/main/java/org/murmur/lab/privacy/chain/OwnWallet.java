package org.murmur.lab.privacy.chain;

import java.util.List;

/**
 * A wallet under test: which of its keys were used, in the order of their first use.
 *
 * @param user who it is on the chain
 * @param keys its used scripts
 */
public record OwnWallet(int user, List<Key> keys) {

  public OwnWallet {
    keys = List.copyOf(keys);
  }

  /**
   * A used script.
   *
   * @param script its number on the chain
   * @param change whether it is derived on the chain for change
   * @param index its place there
   * @param height at which it was first paid to
   */
  public record Key(int script, boolean change, int index, int height) {}

  /** How many of its scripts had been used at a height. */
  public int usedAt(int height) {
    int used = 0;
    while (used < keys.size() && keys.get(used).height() <= height) {
      used++;
    }
    return used;
  }
}
