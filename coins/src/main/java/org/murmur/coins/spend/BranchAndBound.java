package org.murmur.coins.spend;

import java.util.List;
import java.util.Optional;

/**
 * Finds the subset with the least waste whose value exceeds the target by less than change would
 * cost. A payment without change is cheaper, and there is no change output to guess.
 */
final class BranchAndBound extends SubsetSearch {

  private final Goal goal;
  private final boolean wasteGrows;
  private long leastWaste = Long.MAX_VALUE;

  private BranchAndBound(List<Candidate> candidates, Goal goal) {
    super(candidates);
    this.goal = goal;
    wasteGrows = candidates.stream().allMatch(candidate -> candidate.waste() >= 0);
  }

  static Optional<Choice> select(List<Candidate> candidates, Goal goal) {
    return new BranchAndBound(candidates, goal)
        .run()
        .map(chosen -> new Choice(Algorithm.BRANCH_AND_BOUND, chosen));
  }

  @Override
  long needed() {
    return goal.target();
  }

  @Override
  boolean isHopeless() {
    return value > goal.target() + goal.costOfChange()
        || weight > goal.maxWeight()
        || (wasteGrows && waste > leastWaste);
  }

  @Override
  boolean isBest() {
    long whole = waste + value - goal.target();
    if (whole >= leastWaste) {
      return false;
    }
    leastWaste = whole;
    return true;
  }
}
