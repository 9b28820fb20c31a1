package org.murmur.bip37.internal.privacy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.UpdateFlag;

/**
 * Guesses which software made a filter. The number of hash functions follows from the requested
 * rate, and clients differ in rate, flag and size.
 */
public final class Fingerprint {

  /** A client's constant rate and flag. */
  private record Habit(String client, int hashFunctions, double rate, UpdateFlag flag) {}

  /** From their sources, 2015 to 2026; functions rounded as in bitcoinj. */
  private static final List<Habit> HABITS =
      List.of(
          new Habit("bitcoinj", 16, 1e-5, UpdateFlag.ALL),
          new Habit("bitcoinj of 2015 or before, or breadwallet", 10, 5e-4, UpdateFlag.ALL),
          new Habit("breadwallet", 14, 5e-5, UpdateFlag.ALL),
          new Habit("bitcoin-kit", 14, 5e-5, UpdateFlag.NONE),
          new Habit("Murmur with the preset fast", 29, 1e-9, UpdateFlag.ALL));

  /** All filters of bcoin are made for 20,000 elements at 1e-3. */
  private static final int BCOIN_BYTES = 35_943;

  private static final int BCOIN_FUNCTIONS = 9;

  private Fingerprint() {}

  /**
   * Guesses the client of a filter.
   *
   * @return the possible clients, in words; empty if no known client makes such filters
   */
  public static List<String> of(BloomFilter filter) {
    FilterParameters p = filter.parameters();
    List<String> guesses = new ArrayList<>();
    for (SizeClass size : SizeClass.ALL) {
      if (p.equals(size.parameters(p.tweak()))) {
        guesses.add(
            String.format(
                Locale.ROOT,
                "Murmur with the preset private (class of %d elements at %.0e)",
                size.elements(),
                size.rate()));
      }
    }
    if (p.bytes() == BCOIN_BYTES
        && p.hashFunctions() == BCOIN_FUNCTIONS
        && p.flag() == UpdateFlag.ALL) {
      guesses.add("bcoin (always for 20000 elements at 1e-03)");
    }
    for (Habit habit : HABITS) {
      if (p.bytes() > 0 && p.hashFunctions() == habit.hashFunctions() && p.flag() == habit.flag()) {
        guesses.add(
            String.format(
                Locale.ROOT,
                "%s (made for about %d elements at %.0e)",
                habit.client(),
                Math.round(p.bits() * Math.log(2) * Math.log(2) / -Math.log(habit.rate())),
                habit.rate()));
      }
    }
    return guesses;
  }
}
