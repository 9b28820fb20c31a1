package org.murmur.lab.privacy.chain;

import java.util.List;

/** A wallet under test: its used keys, in the order of their first use. */
public record OwnWallet(int user, List<Key> keys) {

  public OwnWallet {
    keys = List.copyOf(keys);
  }

  /**
   * A used script: whether its key is on the wallet's internal (change) chain, its index there, and
   * the height of the first payment to it.
   */
  public record Key(int script, boolean change, int index, int height) {}

  /** The number of its scripts used at a height. */
  public int usedAt(int height) {
    int used = 0;
    while (used < keys.size() && keys.get(used).height() <= height) {
      used++;
    }
    return used;
  }
}
