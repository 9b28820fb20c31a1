package org.murmur.coins.spend;

import java.util.List;

/**
 * A selection.
 *
 * @param algorithm how it was found
 * @param chosen in no particular order
 */
record Choice(Algorithm algorithm, List<Candidate> chosen) {

  /** Copies the list. */
  public Choice {
    chosen = List.copyOf(chosen);
  }

  long value() {
    return chosen.stream().mapToLong(Candidate::value).sum();
  }

  int weight() {
    return chosen.stream().mapToInt(Candidate::weight).sum();
  }

  long waste() {
    return chosen.stream().mapToLong(Candidate::waste).sum();
  }
}
