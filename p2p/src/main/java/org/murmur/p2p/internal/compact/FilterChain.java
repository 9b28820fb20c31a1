package org.murmur.p2p.internal.compact;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.internal.gcs.FilterHeaders;

/**
 * The filter headers that enough peers agree on, at some heights, and the hashes of filters between
 * them. A header commits to all filters below it, so hashes that lead to one need no second peer
 * (BIP-0157). Pure.
 */
final class FilterChain {

  /** The heights at which {@code cfcheckpt} has a header are multiples of this (BIP-0157). */
  static final int STEP = 1_000;

  /** So many headers are kept for the next session. After a short reorganisation some are left. */
  private static final int KEPT = 8;

  // By height.
  private final TreeMap<Integer, Hash256> headers = new TreeMap<>();
  // By the height of the first one.
  private final TreeMap<Integer, List<Hash256>> hashes = new TreeMap<>();

  /** Begins with the headers that earlier sessions agreed on, by height. */
  FilterChain(Map<Integer, Hash256> kept) {
    headers.putAll(kept);
  }

  /** The highest agreed headers, by height. */
  Map<Integer, Hash256> highest() {
    Map<Integer, Hash256> highest = new TreeMap<>();
    for (Map.Entry<Integer, Hash256> header : headers.descendingMap().entrySet()) {
      if (highest.size() == KEPT) {
        break;
      }
      highest.put(header.getKey(), header.getValue());
    }
    return highest;
  }

  /** Takes a filter header that enough peers agree on. */
  void agree(int height, Hash256 header) {
    headers.put(height, header);
    headers.keySet().removeIf(earlier -> isPassed(earlier, height));
    hashes
        .entrySet()
        .removeIf(one -> !headers.containsKey(one.getKey() + one.getValue().size() - 1));
  }

  /**
   * Removes claims about earlier tips below the last step, unless they are agreed on. A peer that
   * comes later says nothing of these, so they would bind it to what it never said.
   */
  void thin(Map<Integer, Hash256> claims, int height) {
    claims.keySet().removeIf(earlier -> isPassed(earlier, height) && !headers.containsKey(earlier));
  }

  private static boolean isPassed(int earlier, int height) {
    return earlier < height / STEP * STEP && earlier % STEP != 0;
  }

  /** Adds what a peer claims at each agreed height, as its hashes of consecutive filters say. */
  void addClaims(Map<Integer, Hash256> claims, int from, Hash256 previous, List<Hash256> of) {
    Hash256 header = previous;
    for (int i = 0; i < of.size(); i++) {
      header = FilterHeaders.header(of.get(i), header);
      if (headers.containsKey(from + i)) {
        claims.put(from + i, header);
      }
    }
  }

  /** The header of the filter at a height; null if it is not agreed on. */
  @Nullable Hash256 header(int height) {
    return headers.get(height);
  }

  /** Whether no claim about a header contradicts an agreed one. */
  boolean agrees(Map<Integer, Hash256> claims) {
    return headers.entrySet().stream()
        .allMatch(
            agreed ->
                agreed.getValue().equals(claims.getOrDefault(agreed.getKey(), agreed.getValue())));
  }

  /** The last height with an agreed header and an equal claim, below all that differ; or 0. */
  int lastAgreed(Map<Integer, Hash256> claims) {
    int last = 0;
    for (Map.Entry<Integer, Hash256> agreed : headers.entrySet()) {
      Hash256 claim = claims.get(agreed.getKey());
      if (claim != null && !claim.equals(agreed.getValue())) {
        return last;
      }
      last = claim == null ? last : agreed.getKey();
    }
    return last;
  }

  /** The highest height with an agreed header, or -1. */
  int top() {
    return headers.isEmpty() ? -1 : headers.lastKey();
  }

  /** The agreed height that ends the stretch with some height: itself or above; -1 without one. */
  int end(int height) {
    Integer end = headers.ceilingKey(height);
    return end == null ? -1 : end;
  }

  /** The first height of that stretch: at most {@value #STEP} below its end, and at least 1. */
  int begin(int height) {
    int step = Math.max(0, height - 1) / STEP * STEP;
    Integer below = headers.lowerKey(height);
    return Math.max(step, below == null ? 0 : below) + 1;
  }

  /**
   * Takes the hashes of consecutive filters, if they lead to the agreed header of the last one.
   *
   * @param from the height of the first one
   * @param previous the header before the first one, as the peer says
   * @return whether they do
   */
  boolean take(int from, Hash256 previous, List<Hash256> of) {
    Hash256 last = headers.get(from + of.size() - 1);
    Hash256 before = headers.get(from - 1);
    if (last == null
        || (before != null && !before.equals(previous))
        || !FilterHeaders.join(previous, of, last)) {
      return false;
    }
    hashes.put(from, List.copyOf(of));
    return true;
  }

  /** The hash of the filter at a height; null if it is not known or was forgotten. */
  @Nullable Hash256 hash(int height) {
    Map.Entry<Integer, List<Hash256>> stretch = hashes.floorEntry(height);
    return stretch == null || height >= stretch.getKey() + stretch.getValue().size()
        ? null
        : stretch.getValue().get(height - stretch.getKey());
  }

  /** Forgets the hashes of stretches that end below a height. */
  void forgetBelow(int height) {
    hashes.entrySet().removeIf(stretch -> stretch.getKey() + stretch.getValue().size() <= height);
  }

  /** Blocks above a height left the chain. */
  void cutAbove(int height) {
    headers.tailMap(height, false).clear();
    hashes
        .entrySet()
        .removeIf(stretch -> stretch.getKey() + stretch.getValue().size() > height + 1);
  }
}
