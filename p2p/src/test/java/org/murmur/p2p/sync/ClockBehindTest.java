package org.murmur.p2p.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** This machine's clock is behind, so that true headers look like headers of the future. */
class ClockBehindTest {

  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  ClockBehindTest() {
    for (int i = 0; i < 30; i++) {
      honest.mine(List.of());
    }
  }

  private static SyncSettings settings(PeerAddress... peers) {
    return SyncSettings.of(List.of(peers), 7).mempoolWait(Duration.ZERO);
  }

  private Instant tipTime() {
    return Instant.ofEpochSecond(honest.chain.timeAt(honest.chain.height()));
  }

  private void setBack(Duration by) {
    honest.clockAhead = by.toSeconds();
    world.beginAt(tipTime().minus(by));
  }

  private List<SyncEvent> ends() {
    return world.events.stream()
        .filter(
            event ->
                event instanceof SyncEvent.Complete
                    || event.getClass().getSimpleName().equals("ClockBehind"))
        .toList();
  }

  @Test
  void byThirtyDaysNothingIsComplete() {
    setBack(Duration.ofDays(30));
    world.run(settings(world.add(honest)));
    assertThat(ends()).hasToString("[ClockBehind[height=0, tip=%s, by=PT720H]]", genesis());
  }

  /** Some headers are let in, the rest are not: what they lead to is no end either. */
  @Test
  void byHoursWhileSomeHeadersAreLetIn() {
    setBack(Duration.ofHours(4));
    world.run(settings(world.add(honest)));
    assertThat(wallet.headers).hasSizeBetween(10, 25);
    assertThat(ends()).singleElement().asString().startsWith("ClockBehind").contains("by=PT4H");
  }

  /** What it says of the time is made up; what its headers show is the least. */
  @Test
  void aPeerThatSaysAnyTimeAtAllDoesNoHarm() {
    setBack(Duration.ofDays(30));
    honest.clockAhead = Long.MIN_VALUE;
    world.run(settings(world.add(honest)));
    assertThat(ends()).singleElement().asString().startsWith("ClockBehind");
  }

  @Test
  void oneLiarWithHeadersOfTheFutureBesideAnHonestOneDoesNotRaiseIt() {
    world.beginAt(tipTime().plusSeconds(60));
    SimulatedNode liar = honest.follower();
    liar.clockAhead = Duration.ofDays(30).toSeconds();
    liar.mineDated(
        liar.chain.tip(), tipTime().plus(Duration.ofDays(30)).getEpochSecond(), List.of());
    world.run(settings(world.add(liar), world.add(honest)));
    assertThat(ends()).containsExactly(new SyncEvent.Complete(30, honest.chain.tip()));
  }

  @Test
  void itIsCompleteWhenTheClockIsSetRight() {
    setBack(Duration.ofDays(30));
    world.limit = Duration.ofDays(1);
    world.keepsQueue = true;
    world.later(20_000, () -> world.jump(Duration.ofDays(30)));
    world.later(40_000, () -> world.post(new Input.Stop()));
    world.run(settings(world.add(honest)).follow(true));
    assertThat(ends()).hasSize(2);
    assertThat(ends().get(1)).isEqualTo(new SyncEvent.Complete(30, honest.chain.tip()));
  }

  private String genesis() {
    return honest.chain.hashAt(0).toString();
  }
}
