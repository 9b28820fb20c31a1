package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.chain.ConsensusRules;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** This machine's clock is behind, so that real headers look like headers from the future. */
class ClockBehindTest {

  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  ClockBehindTest() {
    for (int i = 0; i < 30; i++) {
      honest.mine(List.of());
    }
  }

  private static SyncSettings settings(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 7).limits(limits -> limits.mempoolWait(Duration.ZERO));
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
            event -> event instanceof SyncFact.Complete || event instanceof SyncWarning.ClockBehind)
        .toList();
  }

  @Test
  void byThirtyDaysNothingIsComplete() {
    setBack(Duration.ofDays(30));
    world.run(settings(world.add(honest)));
    assertThat(ends()).hasToString("[ClockBehind[height=0, tip=%s, by=PT720H]]", genesis());
  }

  /** Some headers are accepted, the rest are not: the tip they lead to is no end either. */
  @Test
  void byHoursWhileSomeHeadersAreLetIn() {
    setBack(Duration.ofHours(4));
    world.run(settings(world.add(honest)));
    assertThat(wallet.headers).hasSizeBetween(10, 25);
    assertThat(ends()).singleElement().asString().startsWith("ClockBehind").contains("by=PT4H");
  }

  /** Its claimed time is invented; its headers show the minimum. */
  @Test
  void aPeerThatAnnouncesAnyTimeDoesNoHarm() {
    setBack(Duration.ofDays(30));
    honest.clockAhead = Long.MIN_VALUE;
    world.run(settings(world.add(honest)));
    assertThat(ends()).singleElement().asString().startsWith("ClockBehind");
  }

  @Test
  void oneLiarWithHeadersFromTheFutureDoesNotRaiseIt() {
    world.beginAt(tipTime().plusSeconds(60));
    SimulatedNode liar = honest.follower();
    liar.clockAhead = Duration.ofDays(30).toSeconds();
    liar.mineDated(
        liar.chain.tip(), tipTime().plus(Duration.ofDays(30)).getEpochSecond(), List.of());
    world.run(settings(world.add(liar), world.add(honest)));
    assertThat(ends()).containsExactly(new SyncFact.Complete(30, honest.chain.tip()));
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
    assertThat(ends().get(1)).isEqualTo(new SyncFact.Complete(30, honest.chain.tip()));
  }

  /** A miner dates a block as late as allowed, and our clock is a little slow: that is no fault. */
  @Test
  void twoSecondsAreNoFaultOfTheClock() {
    leaveOutOneBlock(Duration.ofSeconds(2));
    world.run(settings(threeHonest()));
    assertThat(ends()).containsExactly(new SyncFact.Complete(30, honest.chain.hashAt(30)));
  }

  @Test
  void aBlockThatWasLeftOutForTwoSecondsIsAskedForAgainWhileFollowing() {
    leaveOutOneBlock(Duration.ofSeconds(2));
    follow(Duration.ofMinutes(1));
    assertThat(ends())
        .containsExactly(
            new SyncFact.Complete(30, honest.chain.hashAt(30)),
            new SyncFact.Complete(31, honest.chain.tip()));
  }

  /** One peer sends the headers first; the others send known ones then. */
  @Test
  void itIsCompleteWhenThreePeersSendTheRefusedHeaders() {
    leaveOutOneBlock(Duration.ofMinutes(30));
    for (int minute : new int[] {40, 41}) {
      world.later(minute * 60_000L, this::mineAndAnnounce);
    }
    follow(Duration.ofMinutes(50));
    assertThat(ends().get(0)).isInstanceOf(SyncWarning.ClockBehind.class);
    assertThat(ends()).last().isEqualTo(new SyncFact.Complete(33, honest.chain.tip()));
  }

  @Test
  void itIsCompleteWithThreePeersWhenTheClockIsSetRight() {
    setBack(Duration.ofHours(4));
    world.later(20_000, () -> world.jump(Duration.ofHours(4)));
    follow(Duration.ofSeconds(40));
    assertThat(ends()).hasSize(2);
    assertThat(ends().get(0)).isInstanceOf(SyncWarning.ClockBehind.class);
    assertThat(ends().get(1)).isEqualTo(new SyncFact.Complete(30, honest.chain.tip()));
  }

  /** The peers' times were about the clock as it was then. */
  @Test
  void aClockThatWasSetRightIsNotBlamedForABlockOfTwoSeconds() {
    setBack(Duration.ofHours(4));
    world.later(20_000, () -> world.jump(Duration.ofHours(4)));
    world.later(
        30_000,
        () -> {
          long latest = world.now().getEpochSecond() + ConsensusRules.FUTURE_SECONDS + 2;
          honest.mineDated(honest.chain.tip(), latest, List.of());
          announceTip();
        });
    follow(Duration.ofMinutes(1));
    assertThat(ends()).hasSize(3).filteredOn(SyncWarning.ClockBehind.class::isInstance).hasSize(1);
    assertThat(ends()).last().isEqualTo(new SyncFact.Complete(31, honest.chain.tip()));
  }

  /** Our clock is right by the first thirty blocks, and another one is that much too new. */
  private void leaveOutOneBlock(Duration tooNewBy) {
    Instant begin = tipTime().plusSeconds(60);
    world.beginAt(begin);
    long time = begin.plus(tooNewBy).getEpochSecond() + ConsensusRules.FUTURE_SECONDS;
    honest.mineDated(honest.chain.tip(), time, List.of());
  }

  private NodeAddress[] threeHonest() {
    return new NodeAddress[] {world.add(honest), world.add(honest), world.add(honest)};
  }

  private void follow(Duration time) {
    world.limit = Duration.ofDays(1);
    world.keepsQueue = true;
    world.later(time.toMillis(), () -> world.post(new Input.Stop()));
    world.run(settings(threeHonest()).follow(true));
  }

  private void mineAndAnnounce() {
    honest.mine(List.of());
    announceTip();
  }

  private void announceTip() {
    int height = honest.chain.height();
    world.announce(honest, new Message.HeadersMessage(honest.chain.headers(height, height + 1)));
  }

  private String genesis() {
    return honest.chain.hashAt(0).toString();
  }
}
