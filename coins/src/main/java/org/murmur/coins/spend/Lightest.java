package org.murmur.coins.spend;

import java.util.List;
import java.util.Optional;

/**
 * Finds the lightest subset that reaches a value, and of equally light ones the one with the least
 * value (Core: CoinGrinder). It saves fees while they are high.
 */
final class Lightest extends SubsetSearch {

  private final long needed;
  private final int maxWeight;

  /** The smallest weight of a candidate from an index on. */
  private final int[] lightest;

  private int leastWeight;
  private long leastValue = Long.MAX_VALUE;

  private Lightest(List<Candidate> candidates, long needed, int maxWeight) {
    super(candidates);
    this.needed = needed;
    this.maxWeight = maxWeight;
    leastWeight = maxWeight;
    lightest = new int[sorted.size() + 1];
    lightest[sorted.size()] = Integer.MAX_VALUE;
    for (int i = sorted.size() - 1; i >= 0; i--) {
      lightest[i] = Math.min(lightest[i + 1], sorted.get(i).weight());
    }
  }

  static Optional<List<Candidate>> select(List<Candidate> candidates, long needed, int maxWeight) {
    return new Lightest(candidates, needed, maxWeight).run();
  }

  @Override
  long needed() {
    return needed;
  }

  @Override
  boolean isHopeless() {
    return weight > maxWeight || weight + stillNeededWeight() > leastWeight;
  }

  /** No candidate behind the next one has more value, or less weight than the lightest. */
  private long stillNeededWeight() {
    if (value >= needed || next == sorted.size()) {
      return 0;
    }
    long most = sorted.get(next).value();
    long candidates = (needed - value + most - 1) / most;
    return candidates * lightest[next];
  }

  @Override
  boolean isBest() {
    if (weight == leastWeight && value >= leastValue) {
      return false;
    }
    leastWeight = weight;
    leastValue = value;
    return true;
  }
}
