package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.Preset;

/**
 * No txid covers witness data: the machine keeps none of a block. The wallet checks signatures of
 * unconfirmed transactions with it.
 */
class WitnessDataTest {

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  static Tx withWitness(Tx tx, int bytes) {
    Bytes raw = tx.raw();
    int end = raw.length() - 4;
    return Tx.parse(
        new ByteWriter()
            .bytes(raw.slice(0, 4))
            .bytes(Bytes.of(new byte[] {0, 1}))
            .bytes(raw.slice(4, end))
            .compactSize(1)
            .varBytes(Bytes.wrap(new byte[bytes]))
            .bytes(raw.slice(end, raw.length()))
            .toBytes());
  }

  @Test
  void isKeptOfThePoolOnly() {
    Tx mined = payments.pay(1);
    Tx pending = payments.pay(1);
    node.mine(List.of(withWitness(mined, 100_000)));
    Tx complete = withWitness(pending, 100_000);
    node.mempool.put(pending.txid(), complete);
    world.run(SyncSettings.of(List.of(world.add(node)), 1));
    assertThat(wallet.relevant)
        .containsEntry(mined.txid(), mined)
        .containsEntry(pending.txid(), complete);
  }

  @Test
  void isNotKeptOfAWholeBlock() {
    Tx mined = payments.pay(1);
    SimulatedNode.Block block = node.mine(List.of(withWitness(mined, 100_000)));
    // Its filtered block hides the payment, the whole one shows it.
    node.omits = tx -> true;
    NodeAddress liar = world.add(node);
    SimulatedNode second = new SimulatedNode();
    second.blocks.put(block.hash(), block);
    second.chain.connect(Headers.ofStored(block.header()), Long.MAX_VALUE / 4);
    second.omits = tx -> true;
    NodeAddress other = world.add(second);
    world.run(SyncSettings.of(List.of(liar, other), 1).preset(Preset.Fast.USUAL.spotChecks(1)));
    assertThat(wallet.relevant).containsEntry(mined.txid(), mined);
  }
}
