package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** A session that reads the last blocks, to see what others pay. */
class RecentBlocksTest {

  private static final int TIP = 40;

  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedWorld world = new SimulatedWorld(1, new SimulatedWallet(5));

  @BeforeEach
  void mine() {
    Payments payments = new Payments();
    while (honest.chain.height() < TIP) {
      honest.mine(List.of(payments.pay(1)));
    }
  }

  private static SyncSettings reading(int blocks, NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 7).headersOnly(true).recentBlocks(blocks);
  }

  private List<Integer> heights() {
    return world.events.stream()
        .filter(SyncFact.RecentBlock.class::isInstance)
        .map(SyncFact.RecentBlock.class::cast)
        .peek(
            event ->
                assertThat(event.block().hash()).isEqualTo(honest.chain.hashAt(event.height())))
        .map(SyncFact.RecentBlock::height)
        .toList();
  }

  private List<Hash256> asked(NodeAddress of) {
    return world.sends.stream()
        .filter(send -> send.link().address().equals(of))
        .map(Output.Send::message)
        .filter(Message.GetData.class::isInstance)
        .flatMap(message -> ((Message.GetData) message).items().stream())
        .peek(item -> assertThat(item.type()).isEqualTo(InventoryItem.WITNESS_BLOCK))
        .map(InventoryItem::hash)
        .toList();
  }

  @Test
  void readsTheLastBlocksAndNothingElse() {
    NodeAddress peer = world.add(honest);
    world.run(reading(3, peer));
    assertThat(heights()).containsExactly(TIP, TIP - 1, TIP - 2);
    assertThat(asked(peer)).hasSize(3);
    assertThat(world.sent).noneMatch(Message.FilterLoad.class::isInstance);
  }

  @Test
  void readsAllBlocksOfAShortChain() {
    world.run(reading(100, world.add(honest)));
    assertThat(heights()).hasSize(TIP).contains(1).doesNotContain(0);
  }

  @Test
  void peersShareTheWorkAndNoBlockIsReadTwice() {
    NodeAddress a = world.add(honest);
    NodeAddress b = world.add(honest.twin());
    world.run(reading(6, a, b));
    assertThat(heights()).containsExactlyInAnyOrder(40, 39, 38, 37, 36, 35);
    assertThat(asked(a).size() + asked(b).size()).isEqualTo(6);
    assertThat(asked(b)).isNotEmpty();
  }

  @Test
  void anotherPeerSendsWhatOneDoesNot() {
    SimulatedNode hiding = honest.twin();
    hiding.hidesWholeBlocks = true;
    NodeAddress a = world.add(hiding);
    NodeAddress b = world.add(honest);
    world.run(reading(4, a, b));
    assertThat(heights()).containsExactlyInAnyOrder(40, 39, 38, 37);
  }

  @Test
  void endsWithoutBlocksIfNobodySendsThem() {
    honest.hidesWholeBlocks = true;
    world.run(reading(4, world.add(honest)));
    assertThat(heights()).isEmpty();
    assertThat(world.events).anyMatch(SyncFact.Complete.class::isInstance);
  }

  /** Without witness data nobody knows how large a transaction was. */
  @Test
  void doesNotAskAPeerWithoutWitnessData() {
    honest.services = Services.NETWORK | Services.BLOOM;
    NodeAddress peer = world.add(honest);
    world.run(reading(4, peer));
    assertThat(asked(peer)).isEmpty();
  }

  /** More witness data would make fees look low. */
  @Test
  void dropsAPeerThatAddsWitnessData() {
    honest.mine(List.of(WitnessDataTest.withWitness(new Payments().pay(1), 100_000)));
    NodeAddress peer = world.add(honest);
    world.run(reading(1, peer));
    assertThat(heights()).isEmpty();
    assertThat(world.events)
        .anySatisfy(
            event ->
                assertThat(event)
                    .isInstanceOfSatisfying(
                        SyncEvent.PeerLost.class,
                        lost -> assertThat(lost.reason()).isEqualTo(DisconnectReason.BAD_PROOF)));
  }

  @Test
  void keepsTheByteLimit() {
    NodeAddress peer = world.add(honest);
    world.run(reading(6, peer).limits(limits -> limits.bytes(3_000_000)));
    assertThat(asked(peer)).isEmpty();
    assertThat(heights()).isEmpty();
    SimulatedWorld more = new SimulatedWorld(2, new SimulatedWallet(5));
    more.run(reading(6, more.add(honest)).limits(limits -> limits.bytes(5_000_000)));
    assertThat(more.events).filteredOn(SyncFact.RecentBlock.class::isInstance).hasSize(6);
  }

  @Test
  void belongsToASessionOfHeadersOnly() {
    assertThatThrownBy(() -> SyncSettings.of(List.of(), 1).recentBlocks(1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
