package org.murmur.wallet.sync;

import java.util.List;
import org.murmur.bip37.SizeClass;

/**
 * Options of the private preset. Begin with {@link #USUAL} and derive.
 *
 * @param rate the false-positive rate of the public size classes to use: {@link SizeClass#THRIFTY}
 *     or {@link SizeClass#GENEROUS}
 * @param onePeer whether one peer may get both scripts and outpoints, if no peer got either before
 * @param dismissed guards, {@code HOST} or {@code HOST:PORT}, to be replaced by another named peer,
 *     which then learns the filter, too
 */
public record GuardOptions(double rate, boolean onePeer, List<String> dismissed) {

  /** The thrifty classes, two peers, and no guard replaced. */
  public static final GuardOptions USUAL = new GuardOptions(SizeClass.THRIFTY, false, List.of());

  /**
   * Checks the rate and copies the list.
   *
   * @throws IllegalArgumentException if there is no size class of this rate
   */
  public GuardOptions {
    SizeClass.holding(rate, 0);
    dismissed = List.copyOf(dismissed);
  }

  /**
   * Derives options with another rate.
   *
   * @param falsePositives the rate of a size class
   * @return new options
   */
  public GuardOptions rate(double falsePositives) {
    return new GuardOptions(falsePositives, onePeer, dismissed);
  }

  /**
   * Derives options that let one peer get everything, or not.
   *
   * @param enough whether one peer is enough
   * @return new options
   */
  public GuardOptions onePeer(boolean enough) {
    return new GuardOptions(rate, enough, dismissed);
  }

  /**
   * Derives options that replace guards.
   *
   * @param guards {@code HOST} or {@code HOST:PORT}
   * @return new options
   */
  public GuardOptions dismissed(List<String> guards) {
    return new GuardOptions(rate, onePeer, guards);
  }
}
