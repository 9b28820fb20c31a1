package org.murmur.lab.privacy.adversaries;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.murmur.bip37.BloomFilter;
import org.murmur.lab.privacy.chain.Elements;
import org.murmur.lab.privacy.chain.Ints;

/**
 * Tests all scripts against all filters at once, so that each element's bytes are made only once.
 */
public final class Sweep {

  /** Scripts per batch, so that a filter stays in the CPU cache during their tests. */
  private static final int TILE = 1024;

  private Sweep() {}

  /**
   * Finds for each filter the ascending numbers of the scripts that match, including those from
   * before the chain. Equal filters are tested once.
   */
  public static Map<BloomFilter, int[]> matches(
      Elements elements, Collection<BloomFilter> filters) {
    return matches(elements.universe(), elements::script, filters);
  }

  /**
   * Finds for each filter the ascending numbers of the outpoints that match. Equal filters are
   * tested once.
   */
  public static Map<BloomFilter, int[]> outPoints(
      Elements elements, Collection<BloomFilter> filters) {
    return matches(elements.outPoints(), elements::anyOutPoint, filters);
  }

  /** Makes the bytes of an element. */
  @FunctionalInterface
  private interface Maker {
    int bytes(int number, byte[] to);
  }

  private static Map<BloomFilter, int[]> matches(
      int universe, Maker elements, Collection<BloomFilter> filters) {
    List<BloomFilter> distinct = List.copyOf(new LinkedHashSet<>(filters));
    Ints[] found = new Ints[distinct.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = new Ints();
    }
    byte[] tile = new byte[TILE * Elements.MAX_BYTES];
    byte[] element = new byte[Elements.MAX_BYTES];
    int[] lengths = new int[TILE];
    for (int from = 0; from < universe; from += TILE) {
      int count = Math.min(TILE, universe - from);
      for (int i = 0; i < count; i++) {
        lengths[i] = elements.bytes(from + i, element);
        System.arraycopy(element, 0, tile, i * Elements.MAX_BYTES, lengths[i]);
      }
      for (int f = 0; f < found.length; f++) {
        find(distinct.get(f), tile, lengths, count, from, found[f]);
      }
    }
    Map<BloomFilter, int[]> all = new HashMap<>();
    for (int i = 0; i < found.length; i++) {
      all.put(distinct.get(i), found[i].toArray());
    }
    return all;
  }

  private static void find(
      BloomFilter filter, byte[] tile, int[] lengths, int count, int from, Ints found) {
    for (int i = 0; i < count; i++) {
      if (filter.contains(tile, i * Elements.MAX_BYTES, lengths[i])) {
        found.add(from + i);
      }
    }
  }
}
