package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/**
 * A peer claims a height and has no headers up to it. Nothing is complete because of it, and
 * nothing stays incomplete because of it if another peer keeps its claim.
 */
class UnkeptClaimTest {

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  private void mine(SimulatedNode by, int blocks) {
    for (int i = 0; i < blocks; i++) {
      by.mine(List.of());
    }
  }

  private boolean isComplete() {
    return world.events.stream().anyMatch(SyncFact.Complete.class::isInstance);
  }

  private boolean isDropped(NodeAddress peer) {
    return world.events.stream()
        .anyMatch(
            event ->
                event instanceof SyncEvent.PeerLost lost
                    && lost.address().equals(peer)
                    && lost.reason() == DisconnectReason.CLAIM_NOT_KEPT);
  }

  @ParameterizedTest
  @CsvSource({"0, 267", "40, 60", "40, 1", "40, 2000000000"})
  void alone(int blocks, int more) {
    mine(node, blocks);
    node.boasts = more;
    NodeAddress peer = world.add(node);
    world.run(SyncSettings.of(List.of(peer), 1));
    assertThat(isComplete()).isFalse();
    assertThat(isDropped(peer)).isTrue();
    assertThat(world.events).contains(new SyncWarning.ClaimNotKept(peer, blocks + more, blocks));
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 3_000})
  void besideAPeerThatKeepsItsClaim(int delay) {
    mine(node, 40);
    Tx payment = payments.pay(1);
    node.mine(List.of(payment));
    SimulatedNode boaster = node.twin();
    boaster.boasts = 1_000_000;
    NodeAddress liar = world.add(boaster);
    NodeAddress honest = world.add(node);
    world.delays.put(liar, delay);
    world.run(SyncSettings.of(List.of(liar, honest), 1));
    assertThat(isComplete()).isTrue();
    assertThat(wallet.relevant).containsKey(payment.txid());
  }
}
