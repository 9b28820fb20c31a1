package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/**
 * A peer that announces that it keeps the last 288 blocks only (NODE_NETWORK_LIMITED, BIP-0159).
 */
class PrunedPeerTest {

  private static final NodeAddress STRANGER = new NodeAddress("203.0.113.1", 18444);

  private final SimulatedNode full = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final Tx payment = new Payments().pay(1);

  private static SyncSettings settings(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 7).limits(limits -> limits.mempoolWait(Duration.ZERO));
  }

  private void chain(int blocks) {
    while (full.chain.height() < blocks) {
      full.mine(full.chain.height() == blocks - 20 ? List.of(payment) : List.of());
    }
  }

  private SimulatedNode pruned() {
    SimulatedNode pruned = full.twin();
    pruned.services = Services.NETWORK_LIMITED | Services.BLOOM | Services.WITNESS;
    return pruned;
  }

  /** The lowest block requested from a peer, or a height above all. */
  private int lowestAsked(NodeAddress of) {
    int lowest = Integer.MAX_VALUE;
    for (Output.Send send : world.sends) {
      if (send.link().address().equals(of) && send.message() instanceof Message.GetData ask) {
        for (InventoryItem item : ask.items()) {
          int height =
              item.type() == InventoryItem.FILTERED_BLOCK
                  ? full.chain.heightOf(item.hash())
                  : Integer.MAX_VALUE;
          lowest = Math.min(lowest, height);
        }
      }
    }
    return lowest;
  }

  @Test
  void aWalletThatNeedsOlderBlocksSaysSoWithoutAsking() {
    chain(400);
    NodeAddress alone = world.add(pruned(), STRANGER);
    world.run(settings(alone));
    assertThat(lowestAsked(alone)).isEqualTo(Integer.MAX_VALUE);
    assertThat(world.events)
        .filteredOn(SyncFact.NoUsablePeer.class::isInstance)
        .singleElement()
        .satisfies(
            none ->
                assertThat(((SyncFact.NoUsablePeer) none).obstacles())
                    .isEqualTo(Map.of(alone, Obstacle.PRUNED)));
    // Headers may come from it.
    assertThat(wallet.headers).hasSize(400);
  }

  @Test
  void aWalletThatNeedsNewerBlocksOnlyIsServed() {
    chain(400);
    wallet.birthday = new Birthday.AtHeight(200);
    NodeAddress alone = world.add(pruned(), STRANGER);
    world.run(settings(alone));
    assertThat(lowestAsked(alone)).isBetween(113, 200);
    assertThat(wallet.confirmed).isEqualTo(Map.of(payment.txid(), 381));
    assertThat(world.events).contains(new SyncFact.Complete(400, full.chain.tip()));
  }

  @Test
  void aPeerThatKeepsAllBlocksIsAskedForTheOlderOnes() {
    chain(400);
    NodeAddress little = world.add(pruned(), STRANGER);
    NodeAddress all = world.add(full);
    world.delays.put(all, 200);
    world.run(settings(little, all));
    assertThat(lowestAsked(little)).isGreaterThanOrEqualTo(113);
    assertThat(lowestAsked(all)).isEqualTo(1);
    assertThat(wallet.confirmed).isEqualTo(Map.of(payment.txid(), 381));
    assertThat(world.events).contains(new SyncFact.Complete(400, full.chain.tip()));
  }

  /** A guard gets requests from the grid on, and these blocks are older than what it keeps. */
  @Test
  void itIsNoGuardOfAWalletThatNeedsOlderBlocks() {
    chain(400);
    NodeAddress little = world.add(pruned(), STRANGER);
    NodeAddress all = world.add(full);
    SimulatedWallet epochs = SimulatedWallet.ofEpochs(10, 50);
    SimulatedWorld guarded = new SimulatedWorld(2, epochs);
    guarded.nodes.putAll(world.nodes);
    guarded.run(settings(little, all).keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL));
    world.sends.addAll(guarded.sends);
    assertThat(lowestAsked(little)).isEqualTo(Integer.MAX_VALUE);
    assertThat(guarded.events)
        .anyMatch(
            event -> event instanceof SyncEvent.PeerLost lost && lost.address().equals(little));
  }

  /** It keeps all blocks so far, and serves them to peers with the permission noban. */
  @Test
  void onesOwnNodeMayKeepMoreThanItSays() {
    chain(400);
    NodeAddress own = world.add(pruned());
    world.run(settings(own));
    assertThat(wallet.confirmed).isEqualTo(Map.of(payment.txid(), 381));
    assertThat(world.events).contains(new SyncFact.Complete(400, full.chain.tip()));
    SimulatedWallet epochs = SimulatedWallet.ofEpochs(10, 50);
    SimulatedWorld guarded = new SimulatedWorld(2, epochs);
    guarded.nodes.putAll(world.nodes);
    guarded.run(
        settings(own).keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL.onePeer(true)));
    assertThat(guarded.events).contains(new SyncFact.Complete(400, full.chain.tip()));
  }

  @Test
  void theUsersNodeIsNotAskedIfAnotherPeerKeepsAllBlocks() {
    chain(400);
    NodeAddress own = world.add(pruned());
    NodeAddress all = world.add(full);
    world.delays.put(all, 200);
    world.run(settings(own, all));
    assertThat(lowestAsked(own)).isGreaterThanOrEqualTo(113);
    assertThat(world.events).contains(new SyncFact.Complete(400, full.chain.tip()));
  }
}
