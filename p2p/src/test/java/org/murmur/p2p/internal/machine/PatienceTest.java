package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** Waiting: what a session must survive, and which peers it must not wait for. */
class PatienceTest {

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  private static SyncSettings settings(int connections, boolean follow, NodeAddress... peers) {
    SyncSettings usual = SyncSettings.of(List.of(peers), 1);
    return usual.peers(who -> who.connections(connections)).follow(follow);
  }

  private List<DisconnectReason> lost() {
    List<DisconnectReason> lost = new ArrayList<>();
    for (SyncEvent event : world.events) {
      if (event instanceof SyncEvent.PeerLost peer) {
        lost.add(peer.reason());
      }
    }
    return lost;
  }

  private void announce(Tx tx) {
    node.mempool.put(tx.txid(), tx);
    world.announce(node, new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, tx.txid()))));
  }

  private void mineAndAnnounce() {
    SimulatedNode.Block block = node.mine(List.of());
    world.announce(node, new Message.HeadersMessage(Headers.ofStored(block.header())));
  }

  /** Does something at the first message of a kind. */
  @Test
  void asksAPeerThatWasQuietForLongWithoutLosingIt() {
    node.mine(List.of());
    Tx late = payments.pay(2);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> {
              world.later(45_000, () -> announce(late));
              world.later(55_000, () -> world.give(new Input.Stop()));
            });
    world.run(settings(1, true, world.add(node)));
    assertThat(wallet.relevant).containsKey(late.txid());
    assertThat(lost()).isEmpty();
  }

  @Test
  void asksAPeerThatWasQuietForLongForHeadersWithoutLosingIt() {
    node.mine(List.of());
    Tx late = payments.pay(2);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> {
              world.later(
                  45_000,
                  () ->
                      world.announce(
                          node,
                          new Message.Inv(
                              List.of(
                                  new InventoryItem(
                                      InventoryItem.BLOCK, node.mine(List.of(late)).hash())))));
              world.later(55_000, () -> world.give(new Input.Stop()));
            });
    world.run(settings(1, true, world.add(node)));
    assertThat(wallet.confirmed).containsEntry(late.txid(), 2);
    assertThat(lost()).isEmpty();
  }

  @Test
  void watchesPendingTransactionsWithoutWaitingForABlock() {
    node.mine(List.of());
    Tx late = payments.pay(2);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> {
              world.later(20_000, () -> announce(late));
              world.later(25_000, () -> world.give(new Input.Stop()));
            });
    world.run(settings(1, true, world.add(node)));
    assertThat(world.sent).contains(new Message.FilterAdd(late.outPoint(0).toBytes()));
  }

  @Test
  void followsWithAFilterAfterTheLineWasCut() {
    node.mine(List.of());
    Tx late = payments.pay(2);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () -> {
              world.later(20_000, world::cutAll);
              world.later(20_100, () -> node.mempool.put(late.txid(), late));
              world.later(60_000, () -> world.give(new Input.Stop()));
            });
    world.run(settings(1, true, world.add(node)));
    assertThat(world.sent.stream().filter(Message.FilterLoad.class::isInstance)).hasSize(2);
    assertThat(wallet.relevant).containsKey(late.txid());
  }

  @Test
  void asksAgainForASkippedBlockAlthoughANewOneCame() {
    for (int i = 0; i < 4; i++) {
      node.mine(List.of());
    }
    SimulatedNode.Block late = node.mine(List.of());
    for (int i = 0; i < 5; i++) {
      node.mine(List.of());
    }
    node.blocks.remove(late.hash());
    world.onSend =
        SimulatedWorld.atFirst(
            Message.GetData.class,
            () ->
                world.later(
                    300,
                    () -> {
                      node.blocks.put(late.hash(), late);
                      mineAndAnnounce();
                    }));
    world.run(settings(1, false, world.add(node)));
    assertThat(world.events).contains(new SyncFact.Complete(11, node.chain.tip()));
  }

  /**
   * Sends all headers from the first on, whatever the request, and disconnects on block requests.
   */
  private NodeAddress addFlapping() {
    SimulatedNode flapping = node.twin();
    flapping.headersServed = (ask, honest) -> node.chain.headers(1, node.chain.height() + 1);
    NodeAddress address = world.add(flapping);
    world.onSend =
        message -> {
          if (message instanceof Message.GetData) {
            world.hangUp(flapping);
          }
        };
    return address;
  }

  @Test
  void givesUpAPeerThatSendsKnownHeadersAndDisconnectsEveryTime() {
    for (int i = 0; i < 20; i++) {
      node.mine(List.of());
    }
    NodeAddress steady = world.add(node);
    world.run(settings(2, false, steady, addFlapping()).preset(Preset.Fast.USUAL.verify(2)));
    assertThat(world.events).contains(new SyncFact.TooFewCrossChecks(20, 2, 1));
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(2));
  }

  /** As a node does that reached its daily limit (maxuploadtarget). */
  @Test
  void aPeerThatDisconnectsTwiceOnTheSameRequestIsBelieved() {
    for (int i = 0; i < 20; i++) {
      node.mine(List.of());
    }
    world.onSend =
        message -> {
          if (message instanceof Message.GetData) {
            world.hangUp(node);
          }
        };
    world.run(settings(1, false, world.add(node)));
    assertThat(world.calls).isEqualTo(2);
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(5));
    assertThat(world.events.get(world.events.size() - 1))
        .asString()
        .contains("NoUsablePeer", "asked for blocks; it may have reached its maxuploadtarget");
    assertThat(obstacles()).containsExactly(Obstacle.UPLOAD_LIMIT);
  }

  /** As a node does that keeps the last blocks only, when older ones are requested (BIP-0159). */
  @Test
  void aPeerThatAnnouncesPruningIsBelieved() {
    for (int i = 0; i < 20; i++) {
      node.mine(List.of());
    }
    node.services = Services.NETWORK_LIMITED | Services.BLOOM;
    world.onSend =
        message -> {
          if (message instanceof Message.GetData) {
            world.hangUp(node);
          }
        };
    world.run(settings(1, false, world.add(node)));
    assertThat(obstacles()).containsExactly(Obstacle.PRUNED);
  }

  private Collection<Obstacle> obstacles() {
    SyncEvent last = world.events.get(world.events.size() - 1);
    return ((SyncFact.NoUsablePeer) last).obstacles().values();
  }

  /** Once is chance: the network failed in that moment. */
  @Test
  void aPeerThatDisconnectsOnceIsAskedAgain() {
    for (int i = 0; i < 20; i++) {
      node.mine(List.of());
    }
    world.onSend = SimulatedWorld.atFirst(Message.GetData.class, () -> world.hangUp(node));
    world.run(settings(1, false, world.add(node)));
    assertThat(world.calls).isEqualTo(2);
    assertThat(world.events).contains(new SyncFact.Complete(20, node.chain.tip()));
  }

  @Test
  void onePeerUnderTwoNamesIsOneWitness() {
    node.mine(List.of());
    NodeAddress number = world.add(node);
    NodeAddress name = new NodeAddress("node.example", number.port());
    world.nodes.put(name, node);
    world.numbers.put(name, number);
    world.run(settings(2, false, number, name).preset(Preset.Fast.USUAL.verify(2)));
    assertThat(lost()).containsExactly(DisconnectReason.DUPLICATE);
    assertThat(world.events)
        .contains(new SyncFact.TooFewCrossChecks(1, 2, 1))
        .noneMatch(SyncFact.Complete.class::isInstance);
  }

  @Test
  void givesUpOnAPeerThatIsLateAndThenOnlyPongs() {
    for (int i = 0; i < 20; i++) {
      node.mine(List.of());
    }
    SimulatedNode idle = node.twin();
    idle.hidesFilteredBlocks = true;
    NodeAddress steady = world.add(node);
    NodeAddress late = world.add(idle);
    // Its answers come so late from then on that others do its work.
    world.onSend =
        SimulatedWorld.atFirst(Message.GetData.class, () -> world.delays.put(late, 5_000));
    world.run(settings(2, false, steady, late).preset(Preset.Fast.USUAL.verify(2)));
    assertThat(world.events).contains(new SyncFact.TooFewCrossChecks(20, 2, 1));
  }

  @Test
  void reportsWhileItFollowsThatASecondPeerIsMissing() {
    node.mine(List.of());
    NodeAddress down = new NodeAddress("10.0.0.99", 18444);
    world.unreachable.add(down);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.FilterLoad.class,
            () -> world.later(120_000, () -> world.give(new Input.Stop())));
    world.run(settings(2, true, world.add(node), down).preset(Preset.Fast.USUAL.verify(2)));
    assertThat(world.events).containsOnlyOnce(new SyncFact.TooFewCrossChecks(1, 2, 1));
    assertThat(world.events).noneMatch(SyncFact.Complete.class::isInstance);
  }

  @Test
  void isCompleteWhenTheMissingSecondPeerComesBack() {
    node.mine(List.of());
    NodeAddress late = world.add(node.twin());
    world.unreachable.add(late);
    world.onSend =
        SimulatedWorld.atFirst(
            Message.FilterLoad.class,
            () -> {
              world.later(120_000, () -> world.unreachable.remove(late));
              world.later(300_000, () -> world.give(new Input.Stop()));
            });
    world.run(settings(2, true, world.add(node), late).preset(Preset.Fast.USUAL.verify(2)));
    assertThat(world.events)
        .containsSubsequence(
            new SyncFact.TooFewCrossChecks(1, 2, 1), new SyncFact.Complete(1, node.chain.tip()));
  }

  @Test
  void doesNotWaitForAMutePeerWhenAnotherMayBeCalled() {
    node.mine(List.of());
    SimulatedNode mute = new SimulatedNode();
    mute.mute = true;
    NodeAddress first = world.add(mute);
    NodeAddress second = world.add(node);
    world.run(settings(1, false, first, second));
    assertThat(lost()).contains(DisconnectReason.STALLED);
    assertThat(world.events).contains(new SyncFact.Complete(1, node.chain.tip()));
  }

  @Test
  void noticesAStallBehindAMempoolQuestionThatIsOverdue() {
    node.mine(List.of());
    node.spreads = true;
    world.onSend =
        SimulatedWorld.atFirst(
            Message.Mempool.class,
            () ->
                world.later(
                    9_900,
                    () -> {
                      mineAndAnnounce();
                      node.mute = true;
                    }));
    world.run(settings(1, false, world.add(node)));
    assertThat(lost()).contains(DisconnectReason.STALLED);
  }

  private List<SyncWarning.SlowPeer> slowPeers() {
    List<SyncWarning.SlowPeer> slow = new ArrayList<>();
    for (SyncEvent event : world.events) {
      if (event instanceof SyncWarning.SlowPeer peer) {
        slow.add(peer);
      }
    }
    return slow;
  }

  /** Two blocks a second are just enough to be kept: the user learns of it after seconds. */
  @Test
  void saysThatItWaitsForALonePeerThatDrips() {
    for (int i = 0; i < 200; i++) {
      node.mine(List.of());
    }
    NodeAddress peer = world.add(node);
    world.blocksPerSecond = 2;
    world.run(settings(1, false, peer));
    assertThat(slowPeers()).hasSize(1);
    assertThat(slowPeers().get(0).peer()).isEqualTo(peer);
    assertThat(slowPeers().get(0).guard()).isFalse();
    assertThat(slowPeers().get(0).time()).isLessThan(Duration.ofSeconds(15));
    assertThat(lost()).isEmpty();
  }

  /** Ten a second are honest, and several peers do each other's work. */
  @Test
  void saysNothingOfAPeerThatServes() {
    for (int i = 0; i < 200; i++) {
      node.mine(List.of());
    }
    NodeAddress peer = world.add(node);
    world.blocksPerSecond = 10;
    world.run(settings(1, false, peer));
    assertThat(slowPeers()).isEmpty();
  }
}
