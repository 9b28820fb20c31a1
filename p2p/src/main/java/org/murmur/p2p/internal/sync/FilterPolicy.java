package org.murmur.p2p.internal.sync;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterTweaks;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.WatchedLog;
import org.murmur.p2p.sync.Preset;

/**
 * The filters of the fast preset: scripts and outpoints together, with {@code UPDATE_ALL}. The rate
 * is low, so that the server-side filter does not degrade as the server adds outpoints.
 */
public final class FilterPolicy {

  /** Least room for outpoints that the server will add. */
  private static final int MIN_ROOM = 200;

  /** A filter whose rate exceeds the requested one by this factor is replaced, if that helps. */
  private static final double TOLERANCE = 20;

  /** Blocks in flight under a load that served none yet. */
  private static final int FIRST_BLOCKS = 200;

  /** How many served blocks weigh as much as what was known before. */
  private static final int SAMPLE = 100;

  private final double rate;
  private final int maxElements;
  private final FilterTweaks tweaks;

  /**
   * Makes the policy for a rate.
   *
   * @param rate false positives for each element tested, as {@link Preset.Fast#rate}
   * @param maxElements how many elements one filter holds at most, as {@link Preset.Fast#elements}
   * @param key what tweaks follow from, as {@link SyncSettings#key}
   */
  public FilterPolicy(double rate, int maxElements, Bytes key) {
    this.rate = rate;
    this.maxElements = maxElements;
    this.tweaks = new FilterTweaks(key);
  }

  /** {@return how many elements one filter holds at most, at least 1} */
  public int maxElements() {
    return maxElements;
  }

  /**
   * Builds a filter of some elements of the log. A peer gets the same one again while its elements
   * and its room are the same.
   *
   * @param expected how many outpoints the server will probably add
   * @return the filter, with room for outpoints that the server may add, as far as fits
   */
  public BloomFilter filter(WatchedLog log, BitSet members, int expected, NodeAddress peer) {
    List<Bytes> elements = new ArrayList<>();
    members.stream().forEach(i -> elements.add(log.get(i).data()));
    int count = elements.size();
    int room = Math.max(room(count), Math.min(expected, maxElements - count));
    int bytes = parameters(count, room, 0).bytes();
    int tweak = tweaks.tweak(peer.canonical().toString(), bytes, elements);
    BloomFilter.Builder builder = BloomFilter.builder(parameters(count, room, tweak));
    elements.forEach(builder::add);
    return builder.build();
  }

  /**
   * Returns whether the server-side filter is so full that a new one would match far less.
   *
   * @param matched transactions that matched under the load, each of which may have added an
   *     outpoint
   */
  public boolean isWorn(Load load, int elements, int matched) {
    return isWorn(load.filter(), elements, load.elements() + matched);
  }

  private boolean isWorn(BloomFilter filter, int elements, int held) {
    double worn = filter.parameters().expectedRate(Math.max(elements, held));
    return worn > TOLERANCE * rate && worn > TOLERANCE * freshRate(elements);
  }

  private double freshRate(int elements) {
    return fresh(elements, rate).expectedRate(elements);
  }

  /**
   * Returns how many transactions may match under a load until it {@linkplain #isWorn is worn}.
   *
   * @return at least 1
   */
  public int lifetime(Load load, int elements) {
    int sent = load.elements();
    int low = 1;
    int high = 8 * FilterParameters.MAX_BYTES;
    while (low < high) {
      int middle = (low + high) / 2;
      if (isWorn(load.filter(), elements, sent + middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Returns how many blocks may be in flight under a load, so that their matches do not wear it
   * out. It is not more than it served already, because payments may become frequent at any block.
   *
   * @param before matches per block to assume before any block was served
   * @return at least 1
   */
  public int window(Load load, int elements, int served, int matched, double before) {
    double matches = (before * SAMPLE + matched) / (SAMPLE + served);
    double left = Math.max(1, lifetime(load, elements) - matched);
    return (int) Math.max(1, Math.min(Math.max(FIRST_BLOCKS, served), left / matches));
  }

  private static int room(int elements) {
    return Math.max(MIN_ROOM, elements / 4);
  }

  /**
   * Returns the parameters of a new filter, without its tweak.
   *
   * @return parameters with tweak 0
   */
  public static FilterParameters fresh(int elements, double rate) {
    return parameters(elements, room(elements), rate, 0);
  }

  private FilterParameters parameters(int elements, int room, int tweak) {
    return parameters(elements, room, rate, tweak);
  }

  private static FilterParameters parameters(int elements, int room, double rate, int tweak) {
    return FilterParameters.of(elements + room, rate, tweak, UpdateFlag.ALL, Rounding.BITCOINJ);
  }
}
