package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Draws candidates until they reach a value. The remaining coins are then of all sizes, and the
 * chosen ones reveal little about them. If the drawn ones become too heavy, those with the least
 * value are put back.
 */
final class RandomDraw {

  private static final Comparator<Candidate> SMALLEST_FIRST =
      Comparator.comparingLong(Candidate::value).thenComparingInt(Candidate::number);

  private RandomDraw() {}

  static Optional<Choice> select(
      List<Candidate> candidates, long needed, int maxWeight, Draws draws) {
    List<Candidate> order = new ArrayList<>(candidates);
    draws.shuffle(order);
    PriorityQueue<Candidate> drawn = new PriorityQueue<>(SMALLEST_FIRST);
    long value = 0;
    int weight = 0;
    for (Candidate candidate : order) {
      drawn.add(candidate);
      value += candidate.value();
      weight += candidate.weight();
      while (weight > maxWeight) {
        Candidate least = drawn.remove();
        value -= least.value();
        weight -= least.weight();
      }
      if (value >= needed) {
        return Optional.of(new Choice(Algorithm.RANDOM_DRAW, new ArrayList<>(drawn)));
      }
    }
    return Optional.empty();
  }
}
