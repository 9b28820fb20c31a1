package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.SyncEvent;

/** Unconfirmed transactions: endless ones of a liar, and those of a busy wallet. */
class RelayFloodTest {

  private final Payments payments = new Payments();
  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  /** A payment to the wallet, with one more output that makes it large. */
  private Tx payment(int bytes) {
    Bytes push =
        new ByteWriter().uint8(0x4e).int32(bytes).bytes(Bytes.wrap(new byte[bytes])).toBytes();
    return Payments.tx(List.of(payments.foreignCoin()), List.of(SimulatedWallet.script(2), push));
  }

  private List<SyncEvent.PeerLost> lost(NodeAddress address) {
    List<SyncEvent.PeerLost> lost = new ArrayList<>();
    for (SyncEvent event : world.events) {
      if (event instanceof SyncEvent.PeerLost gone
          && gone.address().equals(address)
          && gone.reason() != DisconnectReason.DONE) {
        lost.add(gone);
      }
    }
    return lost;
  }

  private void announce(SimulatedNode node, Tx tx) {
    node.mempool.put(tx.txid(), tx);
    world.announce(node, new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, tx.txid()))));
  }

  @Test
  void endlessLargePaymentsThatAreAnnouncedAndHandedOver() {
    honest.mine(List.of());
    SimulatedNode liar = honest.twinWithItsOwnPool();
    for (int second = 5; second < 900; second++) {
      world.later(
          1000L * second,
          () -> {
            liar.mempool.clear();
            announce(liar, payment(300_000));
          });
    }
    world.later(900_000, () -> world.post(new Input.Stop()));
    world.keepsQueue = true;
    NodeAddress bad = world.add(liar);
    NodeAddress good = world.add(honest);
    world.run(SyncSettings.of(List.of(bad, good), 7).follow(true));
    assertThat(lost(bad))
        .extracting(SyncEvent.PeerLost::reason)
        .containsExactly(DisconnectReason.FLOODING);
    assertThat(lost(good)).isEmpty();
  }

  /**
   * It gets requests by txid for pending transactions, again and again: we want that, so it is no
   * flood.
   */
  @Test
  void pendingTransactionsOfABusyWalletMayBeRequestedAgainAndAgain() {
    honest.mine(List.of());
    for (int i = 0; i < 20; i++) {
      Tx large = payment(90_000);
      honest.mempool.put(large.txid(), large);
    }
    for (int second = 20; second < 520; second += 5) {
      world.later(
          1000L * second,
          () -> {
            SimulatedNode.Block block = honest.mine(List.of());
            world.announce(honest, new Message.HeadersMessage(Headers.ofStored(block.header())));
          });
    }
    world.later(520_000, () -> world.post(new Input.Stop()));
    world.keepsQueue = true;
    long[] served = new long[1];
    world.onSend =
        message -> {
          if (message instanceof Message.GetData ask) {
            for (InventoryItem item : ask.items()) {
              Tx tx = honest.mempool.get(item.hash());
              served[0] += tx == null ? 0 : tx.raw().length();
            }
          }
        };
    NodeAddress busy = world.add(honest);
    world.run(SyncSettings.of(List.of(busy), 7).follow(true));
    assertThat(lost(busy)).isEmpty();
    // More than the ration of what it announces itself.
    assertThat(served[0]).isGreaterThan(100_000_000L + 100_000L * world.elapsed().toSeconds());
  }
}
