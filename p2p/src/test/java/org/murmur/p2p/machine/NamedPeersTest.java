package org.murmur.p2p.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;

/** Peers that a user named are heard before a sync ends, or it is said that they were not. */
class NamedPeersTest {

  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  private static SyncSettings settings(PeerAddress... peers) {
    return SyncSettings.of(List.of(peers), 7).mempoolWait(Duration.ZERO);
  }

  private void mine(int blocks) {
    for (int i = 0; i < blocks; i++) {
      honest.mine(List.of());
    }
  }

  private List<SyncEvent.PeerLost> lost() {
    return world.events.stream()
        .filter(SyncEvent.PeerLost.class::isInstance)
        .map(SyncEvent.PeerLost.class::cast)
        .toList();
  }

  @Test
  void oneThatIsBehindAnswersAtOnceAndTheOtherAfterFiveSeconds() {
    mine(30);
    SimulatedNode behind = honest.follower();
    mine(67);
    PeerAddress quick = world.add(behind);
    PeerAddress slow = world.add(honest);
    world.delays.put(slow, 2_500);
    world.run(settings(quick, slow));
    assertThat(world.events)
        .filteredOn(SyncEvent.Complete.class::isInstance)
        .last()
        .isEqualTo(new SyncEvent.Complete(97, honest.chain.tip()));
  }

  /** Who stays is told no lower tip first, either. */
  @Test
  void whoFollowsWaitsForTheSlowOneToo() {
    mine(30);
    SimulatedNode behind = honest.follower();
    mine(67);
    PeerAddress quick = world.add(behind);
    PeerAddress slow = world.add(honest);
    world.delays.put(slow, 2_500);
    stopAfterSeconds(100);
    world.run(settings(quick, slow).follow(true));
    assertThat(world.events)
        .filteredOn(SyncEvent.Complete.class::isInstance)
        .containsExactly(new SyncEvent.Complete(97, honest.chain.tip()));
  }

  /** The wait has an end, and once it is told what there is nobody is waited for any more. */
  @Test
  void whoFollowsIsToldAllTheSameWhenOneNeverAnswers() {
    mine(30);
    PeerAddress there = world.add(honest);
    PeerAddress away = new PeerAddress("10.0.0.9", 18444);
    world.silent.add(away);
    List<Integer> told = new ArrayList<>();
    world.later(9_000, () -> told.add(completed()));
    world.later(12_000, () -> told.add(completed()));
    stopAfterSeconds(40);
    world.run(settings(there, away).follow(true));
    assertThat(told).containsExactly(0, 1);
  }

  private int completed() {
    return (int) world.events.stream().filter(SyncEvent.Complete.class::isInstance).count();
  }

  private void stopAfterSeconds(int seconds) {
    world.later(1_000L * seconds, () -> world.post(new Input.Stop()));
    world.keepsQueue = true;
  }

  /** Nobody answers the call there, not even with a refusal: the report has to say so. */
  @Test
  void oneThatNeverAnswersIsWaitedForUntilItsHandshakeIsOverdueAndIsNamed() {
    mine(30);
    PeerAddress there = world.add(honest);
    PeerAddress away = new PeerAddress("10.0.0.9", 18444);
    world.silent.add(away);
    world.run(settings(there, away));
    assertThat(world.events).contains(new SyncEvent.Complete(30, honest.chain.tip()));
    assertThat(lost())
        .singleElement()
        .satisfies(
            gone -> {
              assertThat(gone.address()).isEqualTo(away);
              assertThat(gone.reason()).isEqualTo(DisconnectReason.CONNECT_TIMEOUT);
            });
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(12));
  }

  @Test
  void oneThatRefusesIsNotWaitedFor() {
    mine(30);
    PeerAddress there = world.add(honest);
    PeerAddress closed = new PeerAddress("10.0.0.9", 18444);
    world.unreachable.add(closed);
    world.run(settings(there, closed));
    assertThat(world.events).contains(new SyncEvent.Complete(30, honest.chain.tip()));
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(3));
  }
}
