package org.murmur.p2p.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.wire.Services;

/** A session that follows stays though nobody is there, and says so. */
class OutageTest {

  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final List<Integer> told = new ArrayList<>();

  private int warnings() {
    return (int)
        world.events.stream()
            .filter(
                event ->
                    event instanceof SyncEvent.Warning warning
                        && warning.text().startsWith("no peer can be reached"))
            .count();
  }

  /** Counts what was said after so many seconds. */
  private void countAt(int second) {
    world.later(1000L * second, () -> told.add(warnings()));
  }

  private void stopAt(int second) {
    world.later(1000L * second, () -> world.post(new Input.Stop()));
    world.keepsQueue = true;
  }

  @Test
  void aNamedPeerThatIsNotThereIsCalledAgainUntilItIs() {
    node.mine(List.of());
    PeerAddress address = world.add(node);
    world.unreachable.add(address);
    countAt(4);
    countAt(7);
    countAt(290);
    world.later(300_000, () -> world.unreachable.clear());
    stopAt(400);
    SyncSettings settings = SyncSettings.of(List.of(address), 7).mempoolWait(Duration.ZERO);
    world.run(settings.follow(true));
    assertThat(told).containsExactly(0, 1, 1);
    assertThat(world.events)
        .contains(new SyncEvent.Complete(1, node.chain.tip()))
        .noneMatch(SyncEvent.NoUsablePeer.class::isInstance);
    assertThat(world.calls).isBetween(6, 20);
  }

  @Test
  void itIsSaidAgainWhenSomebodyWasThereInBetween() {
    node.mine(List.of());
    PeerAddress address = world.add(node);
    world.later(
        20_000,
        () -> {
          world.unreachable.add(address);
          world.cutAll();
        });
    countAt(19);
    countAt(30);
    world.later(60_000, () -> world.unreachable.clear());
    world.later(
        200_000,
        () -> {
          world.unreachable.add(address);
          world.cutAll();
        });
    countAt(230);
    stopAt(240);
    SyncSettings settings = SyncSettings.of(List.of(address), 7).mempoolWait(Duration.ZERO);
    world.run(settings.follow(true));
    assertThat(told).containsExactly(0, 1, 2);
  }

  /** Nobody is named, no seed answers, and no address is known. */
  @Test
  void withoutInternetItStaysAndSaysSoAndFindsPeersWhenThereIsInternet() {
    node.mine(List.of());
    node.services = Services.NETWORK | Services.BLOOM | Services.WITNESS;
    PeerAddress address = world.add(node, new PeerAddress("20.1.3.4", 18444));
    countAt(20);
    countAt(290);
    world.later(300_000, () -> world.names.put("x5.seed.example", List.of(address)));
    stopAt(500);
    Discovery how =
        new Discovery(List.of("seed.example"), List.of(), Scope.INTERNET, 18444, Set.of());
    world.run(
        SyncSettings.of(List.of(), 7)
            .connections(1)
            .discoveringBy(how)
            .mempoolWait(Duration.ZERO)
            .follow(true));
    assertThat(told).containsExactly(1, 1);
    assertThat(world.events)
        .contains(new SyncEvent.Complete(1, node.chain.tip()))
        .noneMatch(SyncEvent.NoUsablePeer.class::isInstance);
  }

  @Test
  void aSyncThatEndsEndsAsBefore() {
    PeerAddress address = world.add(node);
    world.unreachable.add(address);
    world.run(SyncSettings.of(List.of(address), 7));
    assertThat(world.events).anyMatch(SyncEvent.NoUsablePeer.class::isInstance);
    assertThat(warnings()).isZero();
  }
}
