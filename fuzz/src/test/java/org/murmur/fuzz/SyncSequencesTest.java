package org.murmur.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Drawn sequences of messages, without the fuzzer: no step throws, whatever peers send. */
class SyncSequencesTest {

  private static void live(long seed, long most) {
    System.out.println("lives from seed " + seed);
    long steps = 0;
    for (long life = seed; steps < most; life++) {
      try {
        steps += SyncSequences.live(life);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("life " + life, e);
      }
    }
    assertThat(steps).isGreaterThanOrEqualTo(most);
  }

  @Test
  void noStepThrowsInFiftyThousand() {
    live(1, 50_000);
  }

  @Tag("long")
  @Test
  void noStepThrowsInAMillion() {
    live(1_000_000, 1_000_000);
  }
}
