package org.murmur.p2p.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a session may take. */
class LimitsTest {

  private static final Duration ENDLESS = ChronoUnit.FOREVER.getDuration();

  /** Whoever wants no limit may say so in the words of Java. */
  @Test
  void longerTimesAreForever() {
    Limits endless =
        Limits.USUAL.time(ENDLESS).mempoolWait(ENDLESS).broadcastWait(ENDLESS.minusNanos(1));
    assertThat(List.of(endless.time(), endless.mempoolWait(), endless.broadcastWait()))
        .containsOnly(Limits.FOREVER);
  }

  @Test
  void nothingIsNoLimit() {
    assertThat(Limits.USUAL.mempoolWait(Duration.ZERO).mempoolWait()).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> Limits.USUAL.time(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.USUAL.broadcastWait(Duration.ofSeconds(Long.MIN_VALUE)));
    assertThatIllegalArgumentException().isThrownBy(() -> Limits.USUAL.bytes(0));
  }
}
