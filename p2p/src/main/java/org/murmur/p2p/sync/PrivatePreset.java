package org.murmur.p2p.sync;

import java.util.Set;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The private preset: scripts go to one guard and outpoints to another, in frozen epochs that are
 * the same after a restart. No other peer gets a filter.
 *
 * @param key the secret from which tweaks and dummies are derived; the same after a restore, unique
 *     to this wallet
 * @param rate the false-positive rate of the public size classes to use, {@link SizeClass#THRIFTY}
 *     or {@link SizeClass#GENEROUS}; epochs that were sent before do not change
 * @param onePeer whether one peer may be both guards, where none was chosen before
 * @param dismissed guards to replace
 */
public record PrivatePreset(Bytes key, double rate, boolean onePeer, Set<NodeAddress> dismissed) {

  /** Every scan starts at a multiple of this many blocks: a difficulty period, two weeks. */
  public static final int GRID = 2_016;

  /**
   * While a sync follows the chain, outpoints go into a new epoch at multiples of this height: a
   * day.
   */
  public static final int TICK = 144;

  /**
   * Returns when a session that follows next searches for spends of coins that it did not know at
   * its last tick.
   *
   * @param tip the height of the last block
   * @return a height above it
   */
  public static int nextTick(int tip) {
    return (tip / TICK + 1) * TICK;
  }

  /**
   * Checks the rate and copies the set.
   *
   * @throws IllegalArgumentException if there is no size class of this rate
   */
  public PrivatePreset {
    SizeClass.holding(rate, 0);
    dismissed = Set.copyOf(dismissed);
  }

  /** Omits the key. */
  @Override
  public String toString() {
    return "PrivatePreset[rate=" + rate + ", onePeer=" + onePeer + "]";
  }
}
