package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** A peer proves that a transaction is in a block, and never sends it. */
class WithheldTransactionTest {

  private static final int TIP = 60;

  private final Payments payments = new Payments();
  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedNode liar = honest.twin();
  private final SimulatedWallet fast = new SimulatedWallet(5);
  private final SimulatedWallet guarded = SimulatedWallet.ofEpochs(10, 50);
  private final Tx payment = payments.pay(2);

  private void chain(int paidAt) {
    for (int height = 1; height <= TIP; height++) {
      honest.mine(height == paidAt ? List.of(payment) : List.of());
    }
    liar.withholds = payment::equals;
  }

  private static SyncSettings among(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 7);
  }

  private static SyncSettings guardedBy(NodeAddress... peers) {
    return among(peers).keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL.onePeer(true));
  }

  private static List<DisconnectReason> lost(SimulatedWorld world, NodeAddress address) {
    return world.events.stream()
        .filter(SyncEvent.PeerLost.class::isInstance)
        .map(SyncEvent.PeerLost.class::cast)
        .filter(lost -> lost.address().equals(address))
        .map(SyncEvent.PeerLost::reason)
        .toList();
  }

  private static boolean isComplete(SimulatedWorld world) {
    return world.events.stream().anyMatch(SyncFact.Complete.class::isInstance);
  }

  /** For the last block we believe for a while that the peer does not have it yet. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, TIP / 2, TIP - 1, TIP})
  void aloneItIsAskedAgainAndThenDropped(int paidAt) {
    chain(paidAt);
    SimulatedWorld world = new SimulatedWorld(1, fast);
    NodeAddress peer = world.add(liar);
    for (int sync = 0; sync < 2; sync++) {
      world.events.clear();
      world.run(among(peer));
      assertThat(lost(world, peer)).contains(DisconnectReason.LACKS_BLOCKS);
      assertThat(isComplete(world)).isFalse();
      assertThat(fast.confirmed).isEmpty();
    }
    world.run(among(world.add(honest)));
    assertThat(fast.confirmed).isEqualTo(Map.of(payment.txid(), paidAt));
    assertThat(isComplete(world)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, TIP / 2, TIP - 1, TIP})
  void withAnHonestPeerTheSyncContinues(int paidAt) {
    chain(paidAt);
    SimulatedWorld world = new SimulatedWorld(1, fast);
    world.run(among(world.add(liar), world.add(honest)));
    assertThat(fast.confirmed).isEqualTo(Map.of(payment.txid(), paidAt));
    assertThat(isComplete(world)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, TIP / 2, TIP - 1, TIP})
  void twoOthersAreWitnessesEnough(int paidAt) {
    chain(paidAt);
    SimulatedWorld world = new SimulatedWorld(1, fast);
    world.run(
        among(world.add(liar), world.add(honest), world.add(honest))
            .preset(Preset.Fast.USUAL.verify(2)));
    assertThat(fast.confirmed).isEqualTo(Map.of(payment.txid(), paidAt));
    assertThat(isComplete(world)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, TIP / 2, TIP - 1, TIP})
  void aGuardThatDoesSoIsDropped(int paidAt) {
    chain(paidAt);
    SimulatedWorld world = new SimulatedWorld(1, guarded);
    NodeAddress guard = world.add(liar);
    world.run(guardedBy(guard));
    assertThat(lost(world, guard)).contains(DisconnectReason.LACKS_BLOCKS);
    assertThat(isComplete(world)).isFalse();
    assertThat(guarded.confirmed).isEmpty();
  }

  /** It gets a new request as soon as the last block is here, before the pong after that. */
  @ParameterizedTest
  @ValueSource(doubles = {10, 30, 60})
  void aSlowGuardThatDoesSoIsDropped(double blocksPerSecond) {
    chain(TIP / 2);
    SimulatedWorld world = new SimulatedWorld(1, guarded);
    world.blocksPerSecond = blocksPerSecond;
    NodeAddress guard = world.add(liar);
    world.run(guardedBy(guard));
    assertThat(lost(world, guard)).contains(DisconnectReason.LACKS_BLOCKS);
    assertThat(isComplete(world)).isFalse();
  }

  /** Blocks requested after the chunk that ends with it are not skipped with it. */
  @Test
  void itCostsNoOtherBlock() {
    int blocks = 600;
    for (int height = 1; height <= blocks; height++) {
      honest.mine(List.of(payments.pay(height % 3)));
    }
    liar.withholds = tx -> tx.equals(honest.block(blocks / 2).transactions().get(1));
    SimulatedWorld world = new SimulatedWorld(1, fast);
    NodeAddress peer = world.add(liar);
    world.run(among(peer));
    assertThat(lost(world, peer)).contains(DisconnectReason.LACKS_BLOCKS);
    assertThat(fast.confirmed.values())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, blocks).filter(i -> i != blocks / 2).boxed().toList());
    long asked =
        world.sent.stream()
            .filter(Message.GetData.class::isInstance)
            .mapToLong(message -> ((Message.GetData) message).items().size())
            .sum();
    // The same blocks under a filter with the coins, and a few requests for the one.
    assertThat(asked).isLessThan(3L * blocks);
  }
}
