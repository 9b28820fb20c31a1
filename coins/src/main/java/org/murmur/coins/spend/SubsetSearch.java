package org.murmur.coins.spend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A search through the subsets of the candidates, those with the largest first.
 *
 * <p>Candidates are in descending order of value. A step adds the next one, until the subset is a
 * solution or cannot become one. Then the last one is removed, and the search continues with those
 * after it. So the largest candidates alone are among the first subsets: if they suffice, the
 * search finds a solution, however few steps it has.
 */
abstract class SubsetSearch {

  /** As many as Core's searches take: some milliseconds. */
  private static final int MAX_STEPS = 100_000;

  private static final Comparator<Candidate> LARGEST_FIRST =
      Comparator.comparingLong(Candidate::value)
          .reversed()
          .thenComparingInt(Candidate::weight)
          .thenComparingInt(Candidate::number);

  /** The candidates, the largest first. */
  final List<Candidate> sorted;

  /** Sum of the values from an index on; one longer than the candidates. */
  private final long[] rest;

  private final List<Integer> subset = new ArrayList<>();
  private Optional<List<Candidate>> best = Optional.empty();

  /** Index of the candidate that the next step adds. */
  int next;

  /** Sums of the subset. */
  long value;

  int weight;
  long waste;

  SubsetSearch(List<Candidate> candidates) {
    sorted = new ArrayList<>(candidates);
    sorted.sort(LARGEST_FIRST);
    rest = new long[sorted.size() + 1];
    for (int i = sorted.size() - 1; i >= 0; i--) {
      rest[i] = rest[i + 1] + sorted.get(i).value();
    }
  }

  /** The value that a solution needs. */
  abstract long needed();

  /** Whether neither this subset nor one that contains it can be a solution. */
  abstract boolean isHopeless();

  /** Whether the subset, whose value suffices, is better than those found before; remembers it. */
  abstract boolean isBest();

  /** The best solution found, if there is one. */
  final Optional<List<Candidate>> run() {
    for (int step = 0; step < MAX_STEPS; step++) {
      boolean enough = value >= needed();
      boolean hopeless = value + rest[next] < needed() || isHopeless();
      if (enough && !hopeless && isBest()) {
        best = Optional.of(current());
      }
      if (!enough && !hopeless) {
        add();
      } else if (!takeOut()) {
        break;
      }
    }
    return best;
  }

  private void add() {
    Candidate added = sorted.get(next);
    subset.add(next);
    value += added.value();
    weight += added.weight();
    waste += added.waste();
    next++;
  }

  private boolean takeOut() {
    if (subset.isEmpty()) {
      return false;
    }
    int last = subset.remove(subset.size() - 1);
    Candidate out = sorted.get(last);
    value -= out.value();
    weight -= out.weight();
    waste -= out.waste();
    next = last + 1;
    while (next < sorted.size() && sorted.get(next).isTwinOf(out)) {
      next++;
    }
    return true;
  }

  private List<Candidate> current() {
    List<Candidate> candidates = new ArrayList<>();
    subset.forEach(index -> candidates.add(sorted.get(index)));
    return candidates;
  }
}
