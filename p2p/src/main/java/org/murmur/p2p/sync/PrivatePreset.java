package org.murmur.p2p.sync;

import java.util.Set;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * The private preset: scripts go to one guard and outpoints to another, in frozen epochs that are
 * the same after a restart; nobody else is shown a filter.
 *
 * @param key what tweaks and dummies follow from; the same after a restore, and nobody else's
 * @param rate the false-positive rate of the public size classes to use, one of {@link
 *     SizeClass#THRIFTY} and {@link SizeClass#GENEROUS}; an epoch that was shown before stays what
 *     it was
 * @param onePeer whether one peer may be both guards, where none was chosen before
 * @param dismissed guards that are to be replaced
 */
public record PrivatePreset(Bytes key, double rate, boolean onePeer, Set<PeerAddress> dismissed) {

  /** Every scan starts at a multiple of this many blocks: a difficulty period, two weeks. */
  public static final int GRID = 2_016;

  /** While a sync follows, outpoints go into a new epoch at multiples of this height: a day. */
  public static final int TICK = 144;

  /**
   * Checks the rate and copies the set.
   *
   * @throws IllegalArgumentException if there is no size class of this rate
   */
  public PrivatePreset {
    SizeClass.holding(rate, 0);
    dismissed = Set.copyOf(dismissed);
  }

  /** Says nothing of the key. */
  @Override
  public String toString() {
    return "PrivatePreset[rate=" + rate + ", onePeer=" + onePeer + "]";
  }
}
