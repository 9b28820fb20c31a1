package org.murmur.p2p.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A clock that is set, and a computer that sleeps. */
class TimepieceTest {

  private Instant shown = Instant.ofEpochSecond(1_700_000_000L);
  private long count = Long.MAX_VALUE - 5;

  private final Clock clock = mock(Clock.class, call -> shown);
  private final Timepiece time = new Timepiece(clock, () -> count);

  private void pass(Duration awake, Duration clockShows) {
    count += awake.toNanos();
    shown = shown.plus(clockShows);
  }

  private void pass(Duration both) {
    pass(both, both);
  }

  @Test
  void timeThatPassesIsNoJump() {
    for (int i = 0; i < 100; i++) {
      pass(Duration.ofSeconds(60));
      assertThat(time.jump()).isZero();
    }
  }

  @Test
  void aClockThatIsCorrectedByLittleIsFollowed() {
    pass(Duration.ofSeconds(60), Duration.ofSeconds(61));
    assertThat(time.jump()).isZero();
  }

  @Test
  void aSleepIsAJumpByItsLength() {
    pass(Duration.ofSeconds(5), Duration.ofHours(8).plusSeconds(5));
    assertThat(time.jump()).isEqualTo(Duration.ofHours(8));
    pass(Duration.ofSeconds(5));
    assertThat(time.jump()).isZero();
  }

  @Test
  void aClockSetBackIsANegativeJump() {
    pass(Duration.ofSeconds(5), Duration.ofHours(-1));
    assertThat(time.jump()).isEqualTo(Duration.ofHours(-1).minusSeconds(5));
  }

  @Test
  void aWaitThatTookFarTooLongWasAStop() {
    long due = time.nanosAt(shown.plusSeconds(3));
    pass(Duration.ofSeconds(3).plusMillis(1));
    time.waited(due);
    assertThat(time.jump()).isZero();
    due = time.nanosAt(shown.plusSeconds(3));
    pass(Duration.ofSeconds(63));
    time.waited(due);
    assertThat(time.jump()).isEqualTo(Duration.ofSeconds(60));
  }
}
