package org.murmur.testbed.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The relay's wire in virtual time. */
final class DelayLineTest {

  private static final long MILLI = 1_000_000;

  @Test
  void bytesAreLateButStayTogether() {
    DelayLine line = new DelayLine(50 * MILLI, 0);
    for (int i = 0; i < 100; i++) {
      line.put(new byte[] {(byte) i}, i * MILLI);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(line.due()).isEqualTo((50 + i) * MILLI);
      assertThat(line.take()).containsExactly(i);
    }
    assertThat(line.isEmpty()).isTrue();
    assertThat(line.due()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void rateSpreadsABurst() {
    DelayLine line = new DelayLine(50 * MILLI, 1_000);
    for (int i = 0; i < 5; i++) {
      line.put(new byte[10], 0);
    }
    for (int i = 1; i <= 5; i++) {
      assertThat(line.due()).isEqualTo((50 + 10 * i) * MILLI);
      line.take();
    }
    // After a pause there is no credit for a burst.
    line.put(new byte[10], 1_000 * MILLI);
    assertThat(line.due()).isEqualTo(1_060 * MILLI);
  }

  @Test
  void holdsUpSenderWhileItIsFull() {
    DelayLine line = new DelayLine(50 * MILLI, 0);
    int chunks = 0;
    while (line.room() > 0) {
      line.put(new byte[line.room()], 0);
      chunks++;
    }
    assertThat(line.held()).isBetween(16L << 20, (16L << 20) + (1 << 17));
    for (int i = 0; i < chunks; i++) {
      line.take();
    }
    assertThat(line.held()).isZero();
    assertThat(line.room()).isPositive();
  }

  @Test
  void manySmallChunksAreBoundedToo() {
    DelayLine line = new DelayLine(50 * MILLI, 0);
    int chunks = 0;
    while (line.room() > 0) {
      line.put(new byte[1], 0);
      chunks++;
    }
    assertThat(chunks).isLessThan(300_000);
  }

  @Test
  void rateKeepsItsQueueShort() {
    DelayLine line = new DelayLine(50 * MILLI, 1_000_000);
    while (line.room() > 0) {
      assertThat(line.room()).isEqualTo(10_000);
      line.put(new byte[line.room()], 0);
    }
    // Twice what is under way, and a router's queue.
    assertThat(line.held()).isBetween(165_536L, 180_000L);
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> new DelayLine(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DelayLine(0, -1)).isInstanceOf(IllegalArgumentException.class);
  }
}
