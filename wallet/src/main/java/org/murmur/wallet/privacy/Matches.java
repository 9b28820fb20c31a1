package org.murmur.wallet.privacy;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.murmur.bip37.FilterTheory;

/**
 * The elements that pass an observer's test: the wallet's own, and foreign ones by chance.
 *
 * @param test what was tested
 * @param filters how many different filters it takes
 * @param own how many of the wallet's elements on the chain pass (N)
 * @param strangers how many foreign ones are expected to pass (F)
 */
public record Matches(Test test, int filters, int own, double strangers) {

  /** The tests of an observer. */
  public enum Test {
    /** Whether a script is in every filter that it can be in. */
    SCRIPTS,
    /** The same for coins. */
    COINS,
    /** Whether both a script and a coin that pays it are (M8). */
    PAIRS
  }

  /**
   * Returns the chance that a number of elements, picked among all that pass, are all the wallet's
   * (M6).
   *
   * @param picked j, 0 to {@link #own}
   * @return 0 to 1
   */
  public double allOwn(int picked) {
    return FilterTheory.allTrue(own, strangers, picked);
  }

  /** {@return half of the wallet's elements, rounded up; N/2} */
  public int half() {
    return (own + 1) / 2;
  }

  /**
   * Chooses the test that leaves the fewest foreign elements, among those that find own ones if any
   * does.
   *
   * @param all to choose among
   * @return empty if there are none
   */
  public static Optional<Matches> sharpest(List<Matches> all) {
    return all.stream()
        .min(
            Comparator.comparing((Matches m) -> m.own() == 0)
                .thenComparingDouble(Matches::strangers)
                .thenComparing(Matches::own, Comparator.reverseOrder()));
  }
}
