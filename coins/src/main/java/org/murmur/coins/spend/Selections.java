package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Asks the algorithms. The caller compares their answers, because it knows the exact fee. */
final class Selections {

  /** Change that a random draw aims at, without its fee (Core's CHANGE_LOWER), in satoshi. */
  private static final long MIN_DRAWN_CHANGE = 50_000;

  private Selections() {}

  /**
   * Returns the selection without change with the least waste; empty if there is none, or there are
   * too many to try all.
   */
  public static Optional<Choice> changeless(List<Candidate> candidates, Goal goal) {
    return BranchAndBound.select(candidates, goal);
  }

  /**
   * Returns a random selection that leaves change; none if all candidates do not suffice. A
   * candidate that would do alone is drawn only if the smaller ones do not suffice: small coins do
   * not pile up then, and large ones stay whole.
   */
  public static Optional<Choice> drawn(
      List<Candidate> candidates, Goal goal, long changeFee, Draws draws) {
    long needed = goal.target() + MIN_DRAWN_CHANGE + changeFee;
    List<Candidate> smaller =
        candidates.stream()
            .filter(candidate -> candidate.value() < needed)
            .collect(Collectors.toList());
    Optional<Choice> drawn = RandomDraw.select(smaller, needed, goal.maxWeight(), draws);
    return drawn.isPresent()
        ? drawn
        : RandomDraw.select(candidates, needed, goal.maxWeight(), draws);
  }

  /**
   * Returns the lightest selection that leaves the change of the goal; none if all candidates do
   * not suffice.
   */
  public static Optional<Choice> lightest(List<Candidate> candidates, Goal goal) {
    return Lightest.select(candidates, goal.withChange(), goal.maxWeight())
        .map(chosen -> new Choice(Algorithm.LIGHTEST, chosen));
  }

  /**
   * Returns up to two selections for a wallet that has too little for good change: one that leaves
   * the smallest change worth an output, and one that leaves perhaps none.
   */
  public static List<Choice> anyChange(List<Candidate> candidates, Goal goal, long smallestChange) {
    List<Choice> choices = new ArrayList<>();
    for (long change : new long[] {smallestChange, 0}) {
      Lightest.select(candidates, goal.target() + change, goal.maxWeight())
          .ifPresent(chosen -> choices.add(new Choice(Algorithm.ANY_CHANGE, chosen)));
    }
    return choices;
  }
}
