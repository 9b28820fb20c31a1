package org.murmur.p2p.sync;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.WatchedLog;

/**
 * What a filter looks like: the fast preset. Scripts and outpoints together, {@code UPDATE_ALL}, a
 * rate so low that the server's copy does not degrade while it adds outpoints of its own accord;
 * who was seen not to add any is not told to.
 */
public final class FilterPolicy {

  /** Room for outpoints the server will add, at least. */
  private static final int MIN_ROOM = 200;

  /** A filter whose rate is this many times what was asked for is replaced, if that helps. */
  private static final double TOLERANCE = 20;

  private final double rate;

  /**
   * Makes the policy of a rate.
   *
   * @param rate false positives for each element that is looked up, as {@link SyncSettings#rate}
   */
  public FilterPolicy(double rate) {
    this.rate = rate;
  }

  /**
   * Builds a filter of all elements of the log.
   *
   * @param log what is watched
   * @param tweak the filter's, of 32 bits
   * @return the filter, with room for outpoints that the server may add
   */
  public BloomFilter filter(WatchedLog log, int tweak) {
    BloomFilter.Builder builder = BloomFilter.builder(parameters(log.size(), tweak));
    for (Element element : log.view()) {
      builder.add(element.data());
    }
    return builder.build();
  }

  /**
   * Tells whether the server's copy of a filter has become so full that a new one would match far
   * less.
   *
   * @param load the filter as it was sent
   * @param elements the log's length
   * @param matched transactions that matched under the load, each of which may have added an
   *     outpoint
   * @return true if it should be replaced
   */
  public boolean isWorn(Load load, int elements, int matched) {
    int held = Math.max(elements, load.elements() + matched);
    double worn = load.filter().parameters().expectedRate(held);
    double fresh = parameters(elements, 0).expectedRate(elements);
    return worn > TOLERANCE * rate && worn > TOLERANCE * fresh;
  }

  FilterParameters parameters(int elements, int tweak) {
    int capacity = elements + Math.max(MIN_ROOM, elements / 4);
    return FilterParameters.of(capacity, rate, tweak, UpdateFlag.ALL, Rounding.BITCOINJ);
  }
}
