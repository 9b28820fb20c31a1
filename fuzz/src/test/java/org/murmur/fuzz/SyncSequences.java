package org.murmur.fuzz;

import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Whole sequences of messages for the machine: the input says what becomes of what honest peers say
 * ({@link SyncLife}). Nothing a peer sends may make a step throw.
 *
 * <p>{@link #main} plays drawn sequences without a fuzzer.
 */
public final class SyncSequences {

  private SyncSequences() {}

  public static void fuzzerTestOneInput(byte[] input) {
    SyncLife.live(Choices.of(input));
  }

  /**
   * Plays lives drawn from a seed until there were so many steps.
   *
   * @param args how many steps, and the seed of the first life
   */
  public static void main(String[] args) {
    long most = Long.parseLong(args[0]);
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    long begin = System.nanoTime();
    long steps = 0;
    long lives = 0;
    long told = 0;
    int found = 0;
    while (steps < most) {
      try {
        steps += live(seed + lives);
      } catch (RuntimeException | AssertionError e) {
        found++;
        System.out.println("life " + (seed + lives) + ": " + e);
        if (found <= 3) {
          e.printStackTrace(System.out);
        }
      }
      lives++;
      if (steps - told >= 1_000_000 || steps >= most) {
        told = steps;
        System.out.printf(
            Locale.ROOT,
            "%d steps in %d lives from seed %d, %d findings, %.0f s%n",
            steps,
            lives,
            seed,
            found,
            (System.nanoTime() - begin) / 1e9);
      }
    }
    System.exit(found == 0 ? 0 : 1);
  }

  /** One life, all of it drawn from a seed. */
  static int live(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] mutated = {0.02, 0.1, 0.3, 0.7};
    return SyncLife.live(
        Choices.of(random, mutated[random.nextInt(mutated.length)], 20 + random.nextInt(400)));
  }
}
