package org.murmur.p2p.internal.dial;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.discovery.Endpoint;

/** Which failed calls count, and how many are made when all of them fail. */
class LineTest {

  private static final Endpoint SOMEBODY = endpoint(1);
  private static final Endpoint OTHER = endpoint(2);

  private final List<Endpoint> counted = new ArrayList<>();
  private Instant now = Instant.ofEpochSecond(1_700_000_000L);

  private static Endpoint endpoint(int last) {
    return Endpoint.parse("20.1.1." + last, 8333).orElseThrow();
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private void hear(Line line) {
    line.heard(now, (endpoint, at) -> counted.add(endpoint));
  }

  @Test
  void aFailedCallBetweenTwoSignsOfLifeMeansADeadAddress() {
    Line line = new Line(true);
    hear(line);
    pass(Duration.ofSeconds(100));
    line.failed(SOMEBODY, now);
    pass(Duration.ofSeconds(100));
    hear(line);
    hear(line);
    assertThat(counted).containsExactly(SOMEBODY);
    assertThat(line.remembered()).isZero();
  }

  @Test
  void withoutASignBeforeOrAfterItIsNot() {
    Line line = new Line(true);
    line.failed(SOMEBODY, now);
    hear(line);
    pass(Duration.ofMinutes(3));
    line.failed(OTHER, now);
    hear(line);
    line.failed(SOMEBODY, now);
    pass(Duration.ofMinutes(3));
    hear(line);
    assertThat(counted).isEmpty();
  }

  @Test
  void theLastCallsBeforeEverybodyWasGoneDoNotCount() {
    Line line = new Line(true);
    hear(line);
    line.failed(SOMEBODY, now);
    line.nobodyIsThere();
    hear(line);
    assertThat(counted).isEmpty();
  }

  /**
   * Calls every address that may be called, always in vain, once a second and whenever the line
   * allows it.
   */
  private int callFor(Line line, Duration time) {
    Instant end = now.plus(time);
    int calls = 0;
    while (now.isBefore(end)) {
      for (; line.mayCall(now); calls++) {
        line.called();
        assertThat(calls).isLessThan(10_000);
      }
      Instant due = line.due();
      assertThat(due).isAfter(now);
      now = due == null ? now : due;
    }
    return calls;
  }

  @Test
  void callsAreFewInASecondHoweverFastTheyFail() {
    assertThat(callFor(new Line(false), Duration.ofSeconds(10))).isEqualTo(10 * Line.MAX_CALLS);
    // No message has come yet: it must not stay, but report this soon.
    assertThat(callFor(new Line(true), Duration.ofSeconds(10))).isEqualTo(10 * Line.MAX_CALLS);
  }

  @Test
  void aSessionThatStaysCallsLessAndLessUntilAPeerAnswers() {
    Line line = new Line(true);
    hear(line);
    int calls = callFor(line, Duration.ofHours(1));
    assertThat(calls).isBetween(50 * Line.BATCH, 80 * Line.BATCH);
    hear(line);
    assertThat(callFor(line, Duration.ofSeconds(1))).isEqualTo(Line.MAX_CALLS);
    callFor(line, Duration.ofHours(1));
    line.hurry();
    assertThat(callFor(line, Duration.ofSeconds(1))).isEqualTo(Line.MAX_CALLS);
  }
}
