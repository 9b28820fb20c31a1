package org.murmur.p2p.sync;

import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.WatchedLog;

/**
 * The filters of the fast preset: scripts and outpoints together, with {@code UPDATE_ALL}. The rate
 * is low, so that the server-side filter does not degrade as the server adds outpoints. A server
 * that ignored UPDATE_ALL once does not get that flag again.
 */
public final class FilterPolicy {

  /** Least room for outpoints that the server will add. */
  private static final int MIN_ROOM = 200;

  /** A filter whose rate exceeds the requested one by this factor is replaced, if that helps. */
  private static final double TOLERANCE = 20;

  private final double rate;

  /**
   * Makes the policy for a rate.
   *
   * @param rate false positives for each element tested, as {@link SyncSettings#rate}
   */
  public FilterPolicy(double rate) {
    this.rate = rate;
  }

  /**
   * Builds a filter of all elements of the log.
   *
   * @param log the watched elements
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
   * Returns whether the server-side filter is so full that a new one would match far less.
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
