package org.murmur.testbed.world.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Virtual time: the order of what happens makes a world repeatable. */
class TimelineTest {

  private final Timeline time = new Timeline(1_000);
  private final List<String> happened = new ArrayList<>();

  private void plan(long nanos, String what) {
    time.at(nanos, () -> happened.add(what));
  }

  private void play(int events) {
    for (int i = 0; i < events; i++) {
      time.next().run();
    }
  }

  @Test
  void eventsOfTheSameTimeHappenInTheOrderOfPlanning() {
    plan(20, "c");
    plan(10, "a");
    plan(10, "b");
    plan(20, "d");
    play(4);
    assertThat(happened).containsExactly("a", "b", "c", "d");
    assertThat(time.now()).isEqualTo(20);
  }

  @Test
  void timeNeverGoesBack() {
    plan(50, "late");
    play(1);
    plan(10, "planned for the past");
    time.later(0, () -> happened.add("now"));
    play(1);
    assertThat(time.now()).isEqualTo(50);
    play(1);
    assertThat(happened).containsExactly("late", "planned for the past", "now");
    assertThat(time.now()).isEqualTo(50);
    assertThat(time.at(Instant.ofEpochSecond(1_000))).isEqualTo(50);
  }

  @Test
  void itsClockStartsAtTheGivenSecond() {
    plan(3 * Timeline.SECOND + 7, "a");
    play(1);
    assertThat(time.instant()).isEqualTo(Instant.ofEpochSecond(1_003, 7));
    assertThat(time.seconds()).isEqualTo(1_003);
    assertThat(time.at(Instant.ofEpochSecond(1_005))).isEqualTo(5 * Timeline.SECOND);
  }

  @Test
  void unrestThenCalmThenTheEnd() {
    assertThat(time.isUnrest()).isTrue();
    plan(9, "a");
    play(1);
    time.calmDown();
    assertThat(time.isUnrest()).isFalse();
    assertThat(time.isCalm()).isTrue();
    assertThat(time.calmAt()).isEqualTo(9);
    time.end();
    assertThat(time.isCalm()).isFalse();
    assertThat(time.isOver()).isTrue();
  }

  @Test
  void aWorldInWhichNothingIsLeftToHappenIsAFault() {
    assertThatThrownBy(time::next).isInstanceOf(AssertionError.class);
  }
}
