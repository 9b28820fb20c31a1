package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/**
 * Two branches of equal work: the peers on each of them are honest, however long the race lasts.
 */
class RaceTest {

  private static final int FORK = 30;

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private SimulatedNode rival = node;
  private final SimulatedWallet wallet = SimulatedWallet.ofEpochs(10, 50);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private NodeAddress a = new NodeAddress("10.0.0.1", 18444);
  private NodeAddress b = new NodeAddress("10.0.0.2", 18444);

  @BeforeEach
  void race() {
    for (int i = 0; i < FORK; i++) {
      node.mine(List.of());
    }
    rival = node.follower();
    node.mine(List.of(payments.pay(1)));
    rival.mine(List.of(payments.pay(2)));
    a = world.add(node);
    b = world.add(rival);
    world.keepsQueue = true;
  }

  private SyncSettings settings(boolean guarded) {
    SyncSettings usual =
        SyncSettings.of(List.of(a, b), 7).limits(limits -> limits.mempoolWait(Duration.ZERO));
    return guarded
        ? usual.keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL)
        : usual.preset(Preset.Fast.USUAL.verify(2));
  }

  /** One branch grows, and the peers on the other one follow some seconds later. */
  private void decideAfter(Duration race, boolean forUs) {
    SimulatedNode winner = forUs ? node : rival;
    SimulatedNode loser = forUs ? rival : node;
    world.later(
        race.toMillis(),
        () -> {
          winner.mine(List.of());
          announceTip(winner);
        });
    world.later(
        race.plusSeconds(20).toMillis(),
        () -> {
          loser.chain.connect(
              winner.chain.headers(FORK + 1, FORK + 3), world.now().getEpochSecond());
          announceTip(loser);
        });
  }

  private void announceTip(SimulatedNode whose) {
    InventoryItem tip = new InventoryItem(InventoryItem.BLOCK, whose.chain.tip());
    world.announce(whose, new Message.Inv(List.of(tip)));
  }

  private List<DisconnectReason> lost() {
    return world.events.stream()
        .filter(SyncEvent.PeerLost.class::isInstance)
        .map(event -> ((SyncEvent.PeerLost) event).reason())
        .toList();
  }

  private void isForgiven(NodeAddress peer) {
    assertThat(Objects.requireNonNull(wallet.peers.get(peer)).misbehaviour()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"false, true", "false, false", "true, true", "true, false"})
  void isWaitedFor(boolean guarded, boolean forUs) {
    decideAfter(Duration.ofMinutes(5), forUs);
    world.run(settings(guarded));
    assertThat(lost()).isEmpty();
    isCompleteOn(forUs ? node : rival, guarded);
  }

  /** It ends the sync in the end, and nobody has a back-off. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isNotWaitedForForEver(boolean guarded) {
    world.run(settings(guarded));
    assertThat(world.elapsed()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(12));
    assertThat(lost()).containsOnly(DisconnectReason.RIVAL_BRANCH);
    isForgiven(a);
    isForgiven(b);
    decideAfter(Duration.ofSeconds(1), true);
    world.run(settings(guarded));
    isCompleteOn(node, guarded);
  }

  /** A private sync that does not follow scans no higher than the tip at its first tick. */
  private void isCompleteOn(SimulatedNode winner, boolean guarded) {
    assertThat(world.events)
        .filteredOn(SyncFact.Complete.class::isInstance)
        .last()
        .satisfies(
            event -> {
              SyncFact.Complete complete = (SyncFact.Complete) event;
              assertThat(complete.height()).isBetween(guarded ? FORK + 1 : FORK + 2, FORK + 2);
              assertThat(complete.tip()).isEqualTo(winner.chain.hashAt(complete.height()));
            });
  }

  /** A session that follows waits as long as it takes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void losesNobodyWhileFollowing(boolean guarded) {
    world.limit = Duration.ofHours(3);
    decideAfter(Duration.ofHours(1), true);
    world.later(Duration.ofHours(2).toMillis(), () -> world.post(new Input.Stop()));
    world.run(settings(guarded).follow(true));
    assertThat(lost()).isEmpty();
    assertThat(world.events).contains(new SyncFact.Complete(FORK + 2, node.chain.tip()));
  }

  /** Where one peer suffices, nobody waits. */
  @Test
  void delaysNoSyncThatNeedsOnePeer() {
    world.run(settings(false).preset(Preset.Fast.USUAL.verify(1)));
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(5));
    assertThat(world.events).anyMatch(SyncFact.Complete.class::isInstance);
  }
}
