package org.murmur.p2p.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Input;
import org.murmur.p2p.sync.Link;
import org.murmur.p2p.sync.Output;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncSettings;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.p2p.wire.Message;

/** The machine is told that it failed at what a peer sent. */
class InternalErrorTest {

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  /** What it served may have been taken by half: it counts no more, and others are asked for it. */
  @Test
  void thePeerGoesAndWhatItServedIsTakenBack() {
    Tx payment = payments.pay(2);
    for (int height = 1; height <= 60; height++) {
      node.mine(height == 10 ? List.of(payment) : List.of());
    }
    PeerAddress first = world.add(node);
    PeerAddress second = world.add(node.twin());
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
    assertThat(world.events).anyMatch(SyncEvent.Complete.class::isInstance);
    assertThat(world.events)
        .anyMatch(
            event ->
                event instanceof SyncEvent.PeerLost lost
                    && lost.address().equals(first)
                    && lost.reason() == DisconnectReason.INTERNAL_ERROR);
    assertThat(world.events)
        .anyMatch(
            event ->
                event instanceof SyncEvent.Warning warning
                    && warning.what() instanceof SyncWarning.InternalFault);
  }

  private PeerAddress server(ScanRow row) {
    return Objects.requireNonNull(wallet.loads.get(row.load())).peer();
  }

  private Link linkTo(PeerAddress address) {
    return world.sends.stream()
        .map(Output.Send::link)
        .filter(link -> link.address().equals(address))
        .findFirst()
        .orElseThrow();
  }
}
