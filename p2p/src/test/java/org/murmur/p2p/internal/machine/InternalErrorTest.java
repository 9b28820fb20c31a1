package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.pool.PoolPeer;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Link;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** The machine learns that it failed at a peer's message. */
class InternalErrorTest {

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  /**
   * The answers of that peer may be half applied: they no longer count, and others get the
   * requests.
   */
  @Test
  void thePeerIsDroppedAndItsBlocksAreDiscarded() {
    Tx payment = payments.pay(2);
    for (int height = 1; height <= 60; height++) {
      node.mine(height == 10 ? List.of(payment) : List.of());
    }
    NodeAddress first = world.add(node);
    NodeAddress second = world.add(node.twin());
    world.delays.put(second, 500);
    boolean[] done = {false};
    world.onSend =
        message -> {
          boolean served = wallet.rows.values().stream().anyMatch(row -> server(row).equals(first));
          if (message instanceof Message.GetData && served && !done[0]) {
            done[0] = true;
            world.give(new Input.Failed(linkTo(first), "on demand"));
          }
        };
    world.run(SyncSettings.of(List.of(first, second), 7));
    assertThat(done[0]).isTrue();
    assertThat(wallet.disowned).containsExactly(first);
    assertThat(wallet.rows.values()).allMatch(row -> server(row).equals(second));
    assertThat(wallet.confirmed).isEqualTo(Map.of(payment.txid(), 10));
    assertThat(world.events).anyMatch(SyncFact.Complete.class::isInstance);
    assertThat(world.events)
        .anyMatch(
            event ->
                event instanceof SyncEvent.PeerLost lost
                    && lost.address().equals(first)
                    && lost.reason() == DisconnectReason.INTERNAL_ERROR);
    assertThat(world.events).anyMatch(event -> event instanceof SyncWarning.InternalFault);
  }

  /**
   * The chain had moved before the machine failed at the headers. Blocks of the old chain that
   * another peer still owes do not count.
   */
  @Test
  void aMoveOfTheChainIsHandedOnThoughTakingItInFailed() {
    for (int height = 1; height <= 60; height++) {
      node.mine(List.of(payments.pay(2)));
    }
    SimulatedNode branch = new SimulatedNode();
    branch.mine(List.of(payments.pay(3)));
    for (int height = 2; height <= 61; height++) {
      branch.mine(List.of());
    }
    NodeAddress first = world.add(node);
    NodeAddress second = world.add(node.twin());
    boolean[] done = {false};
    world.onSend =
        message -> {
          if (done[0] || !(message instanceof Message.GetData)) {
            return;
          }
          PoolPeer other = otherThanAsked(message);
          if (!other.isReady()) {
            return;
          }
          done[0] = true;
          Parts parts = world.machine().parts;
          // The inbox's first action. Here it fails, before it notifies the other parts.
          parts.headers.received(other, branch.chain.headers(1, 62));
          assertThat(parts.chain.tip()).isEqualTo(branch.chain.tip());
          world.give(new Input.Failed(other.link(), "on demand"));
          world.later(1_000, () -> world.give(new Input.Stop()));
        };
    world.run(SyncSettings.of(List.of(first, second), 7));
    assertThat(done[0]).isTrue();
    assertThat(wallet.rows.values()).isEmpty();
    assertThat(wallet.confirmed).isEmpty();
  }

  /** The peer that does not get a message. */
  private PoolPeer otherThanAsked(Message message) {
    Link asked =
        world.sends.stream()
            .filter(send -> send.message() == message)
            .map(Output.Send::link)
            .findFirst()
            .orElseThrow();
    return world.machine().parts.roster.peers().stream()
        .filter(peer -> !peer.link().equals(asked))
        .findFirst()
        .orElseThrow();
  }

  private NodeAddress server(ScanRow row) {
    return Objects.requireNonNull(wallet.loads.get(row.view())).peer();
  }

  private Link linkTo(NodeAddress address) {
    return world.sends.stream()
        .map(Output.Send::link)
        .filter(link -> link.address().equals(address))
        .findFirst()
        .orElseThrow();
  }
}
