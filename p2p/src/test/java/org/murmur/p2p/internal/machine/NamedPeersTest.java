package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/**
 * A sync does not end before the peers that a user named have answered, or it reports that they did
 * not.
 */
class NamedPeersTest {

  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  private static SyncSettings settings(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 7).limits(limits -> limits.mempoolWait(Duration.ZERO));
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
    NodeAddress quick = world.add(behind);
    NodeAddress slow = world.add(honest);
    world.delays.put(slow, 2_500);
    world.run(settings(quick, slow));
    assertThat(world.events)
        .filteredOn(SyncFact.Complete.class::isInstance)
        .last()
        .isEqualTo(new SyncFact.Complete(97, honest.chain.tip()));
  }

  /** A session that follows is not given a lower tip first, either. */
  @Test
  void aFollowerWaitsForTheSlowOneToo() {
    mine(30);
    SimulatedNode behind = honest.follower();
    mine(67);
    NodeAddress quick = world.add(behind);
    NodeAddress slow = world.add(honest);
    world.delays.put(slow, 2_500);
    stopAfterSeconds(100);
    world.run(settings(quick, slow).follow(true));
    assertThat(world.events)
        .filteredOn(SyncFact.Complete.class::isInstance)
        .containsExactly(new SyncFact.Complete(97, honest.chain.tip()));
  }

  /**
   * A private session that does not follow scans no higher than the chain at its tick, so it must
   * not tick on the claim of a peer that is behind. Its scripts were scanned for before.
   */
  @Test
  void aPrivateSessionDoesNotTickBeforeTheSlowOnesAnswer() {
    mine(30);
    SimulatedNode behind = honest.follower();
    SimulatedWallet epochs = SimulatedWallet.ofEpochs(10, 50);
    SimulatedWorld guarded = new SimulatedWorld(1, epochs);
    NodeAddress a = guarded.add(honest);
    NodeAddress b = guarded.add(honest.twin());
    guarded.run(settings(a, b).keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL));
    assertThat(guarded.events).contains(new SyncFact.Complete(30, honest.chain.tip()));
    mine(1);
    Tx payment = new Payments().pay(1);
    honest.mine(List.of(payment));
    NodeAddress quick = guarded.add(behind);
    guarded.delays.put(a, 2_500);
    guarded.delays.put(b, 2_500);
    guarded.run(settings(a, b, quick).keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL));
    assertThat(guarded.events)
        .filteredOn(SyncFact.Complete.class::isInstance)
        .last()
        .isEqualTo(new SyncFact.Complete(32, honest.chain.tip()));
    assertThat(epochs.confirmed).containsEntry(payment.txid(), 32);
  }

  /** The wait has an end, and after the result there is no further waiting. */
  @Test
  void aFollowerIsNotifiedThoughOnePeerNeverAnswers() {
    mine(30);
    NodeAddress there = world.add(honest);
    NodeAddress away = new NodeAddress("10.0.0.9", 18444);
    world.silent.add(away);
    List<Integer> told = new ArrayList<>();
    world.later(9_000, () -> told.add(completed()));
    world.later(12_000, () -> told.add(completed()));
    stopAfterSeconds(40);
    world.run(settings(there, away).follow(true));
    assertThat(told).containsExactly(0, 1);
  }

  private int completed() {
    return (int) world.events.stream().filter(SyncFact.Complete.class::isInstance).count();
  }

  private void stopAfterSeconds(int seconds) {
    world.later(1_000L * seconds, () -> world.post(new Input.Stop()));
    world.keepsQueue = true;
  }

  /** The call there gets no answer, not even a refusal: the report has to say so. */
  @Test
  void oneThatNeverAnswersIsWaitedForUntilItsHandshakeIsOverdueAndIsNamed() {
    mine(30);
    NodeAddress there = world.add(honest);
    NodeAddress away = new NodeAddress("10.0.0.9", 18444);
    world.silent.add(away);
    world.run(settings(there, away));
    assertThat(world.events).contains(new SyncFact.Complete(30, honest.chain.tip()));
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
    NodeAddress there = world.add(honest);
    NodeAddress closed = new NodeAddress("10.0.0.9", 18444);
    world.unreachable.add(closed);
    world.run(settings(there, closed));
    assertThat(world.events).contains(new SyncFact.Complete(30, honest.chain.tip()));
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(3));
  }

  /** A name may lead to a guard: a payment must not go there. Its version message would, too. */
  @Test
  void aNameOfAnAvoidedPeerIsDroppedBeforeItIsToldAnything() {
    mine(3);
    NodeAddress name = world.add(honest, new NodeAddress("node.example", 18444));
    NodeAddress other = world.add(honest.twin());
    world.numbers.put(name, new NodeAddress("0:0:0:0:0:0:0:1", 18444));
    NodeAddress guard = new NodeAddress("localhost", 18444);
    world.run(settings(name, other).peers(who -> who.without(List.of(guard))));
    assertThat(lost())
        .extracting(SyncEvent.PeerLost::address, SyncEvent.PeerLost::reason)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(name, DisconnectReason.AVOIDED));
    assertThat(world.sends).noneMatch(send -> send.link().address().equals(name));
  }
}
