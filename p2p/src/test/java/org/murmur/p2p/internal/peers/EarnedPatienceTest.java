package org.murmur.p2p.internal.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.sync.DisconnectReason;

/** What earns a peer patience, without a machine around. */
class EarnedPatienceTest {

  private static final Instant START = Instant.ofEpochSecond(1_700_000_000L);

  /** Drips of any size, for a minute: it goes exactly if they come to too little. */
  @Property(tries = 200)
  void dripsAreTooLittleBelowThePaceAndEnoughAboveIt(
      @ForAll @IntRange(min = 1, max = 120) int bytesASecond, @ForAll long seed) {
    Patience dripping = new Patience(START);
    Random random = new Random(seed);
    Instant now = START;
    dripping.pace(true, now);
    Refusal refusal = Refusal.NONE;
    int bytes = 0;
    for (int second = 1; second <= 60; second++) {
      now = START.plusSeconds(second);
      int drip = random.nextInt(2 * bytesASecond + 1);
      bytes += drip;
      dripping.heard(drip);
      dripping.earns(Patience.Answer.NEWS, Patience.Answer.NEWS, now);
      refusal = dripping.pace(true, now);
      assertThat(second == 60 || !refusal.isRefusal()).isTrue();
    }
    boolean enough = bytes >= 60 * Patience.MIN_BYTES_A_SECOND;
    assertThat(refusal.reason()).isEqualTo(enough ? DisconnectReason.DONE : DisconnectReason.SLOW);
  }

  @Test
  void unrequestedBytesDoNotCountForThePace() {
    Patience patience = new Patience(START);
    patience.pace(true, START);
    patience.heard(100_000);
    patience.heard(32);
    assertThat(patience.pace(true, START.plus(Patience.PACE_TAKEN_OVER)).reason())
        .isEqualTo(DisconnectReason.SLOW);
    assertThat(patience.since()).isEqualTo(START);
  }

  @Test
  void aMessageCountsOnceHoweverMuchItBrings() {
    Patience patience = new Patience(START);
    patience.pace(true, START);
    patience.heard(2_000);
    patience.earns(Patience.Answer.PROGRESS, Patience.Answer.PROGRESS, START);
    patience.earns(Patience.Answer.PROGRESS, Patience.Answer.PROGRESS, START);
    assertThat(patience.pace(true, START.plus(Patience.PACE_TAKEN_OVER)).reason())
        .isEqualTo(DisconnectReason.SLOW);
  }

  @Test
  void lessUrgentAnswersEarnNothing() {
    Patience patience = new Patience(START);
    patience.heard(100_000);
    patience.earns(Patience.Answer.NEWS, Patience.Answer.HEADERS, START.plusSeconds(1));
    patience.earns(Patience.Answer.HEADERS, Patience.Answer.PROGRESS, START.plusSeconds(1));
    assertThat(patience.since()).isEqualTo(START);
    patience.earns(Patience.Answer.PROGRESS, Patience.Answer.HEADERS, START.plusSeconds(2));
    assertThat(patience.since()).isEqualTo(START.plusSeconds(2));
  }

  @Test
  void aPeerThatOwesNothingMayBeSilent() {
    Patience patience = new Patience(START);
    for (int minute = 0; minute < 100; minute++) {
      Instant now = START.plus(Duration.ofMinutes(minute));
      assertThat(patience.pace(true, now).isRefusal()).isFalse();
      assertThat(patience.pace(false, now.plusSeconds(30)).isRefusal()).isFalse();
      assertThat(patience.paceDue()).isNull();
    }
  }
}
