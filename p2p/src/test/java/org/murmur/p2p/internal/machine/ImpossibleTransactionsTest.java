package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/**
 * Transactions that no valid block can hold, from every source of a machine. A block that holds one
 * is invalid, however much work it has.
 */
class ImpossibleTransactionsTest {

  private static final long MOST = 2_100_000_000_000_000L;

  private final Payments payments = new Payments();
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  static Stream<Tx> impossible() {
    Payments lies = new Payments();
    for (int i = 0; i < 300; i++) {
      // The honest payments of a test spend other coins.
      lies.foreignCoin();
    }
    OutPoint coin = lies.foreignCoin();
    OutPoint nothing = new OutPoint(Hash256.ZERO, -1);
    List<Bytes> own = List.of(SimulatedWallet.script(1));
    return Stream.of(
        lies.paying(-1_000),
        lies.paying(2_000, -1_000),
        lies.paying(Long.MAX_VALUE),
        lies.paying(Long.MIN_VALUE),
        lies.paying(MOST + 1),
        lies.paying(MOST, 1),
        lies.paying(Long.MAX_VALUE, Long.MAX_VALUE, 2),
        Payments.tx(List.of(coin, coin), own),
        Payments.tx(List.of(coin, nothing), own),
        Payments.tx(List.of(nothing), own));
  }

  private SimulatedNode withSameBlocks() {
    SimulatedNode another = new SimulatedNode();
    for (int height = 1; height <= node.chain.height(); height++) {
      SimulatedNode.Block block = node.block(height);
      another.blocks.put(block.hash(), block);
      another.chain.connect(Headers.ofStored(block.header()), Long.MAX_VALUE / 4);
    }
    return another;
  }

  private boolean isLost(NodeAddress address, DisconnectReason reason) {
    return world.events.stream()
        .anyMatch(
            event ->
                event instanceof SyncEvent.PeerLost lost
                    && lost.address().equals(address)
                    && lost.reason() == reason);
  }

  private boolean isComplete() {
    return world.events.stream().anyMatch(SyncFact.Complete.class::isInstance);
  }

  @ParameterizedTest
  @MethodSource("impossible")
  void inABlockAreNotCountedAndTheSyncIsNotComplete(Tx lie) {
    Tx truth = payments.paying(MOST - 1, 0, 1);
    node.mine(List.of(truth));
    node.mine(List.of());
    node.mine(List.of(lie));
    node.mine(List.of());
    NodeAddress peer = world.add(node);
    world.run(SyncSettings.of(List.of(peer), 1));
    assertThat(wallet.relevant).doesNotContainKey(lie.txid());
    assertThat(isLost(peer, DisconnectReason.INVALID_TRANSACTION)).isTrue();
    assertThat(isComplete()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("impossible")
  void inABlockThatOnlyOthersServeAreNotCountedEither(Tx lie) {
    node.mine(List.of(lie));
    SimulatedNode second = withSameBlocks();
    // Its filtered block hides it; the whole block, which decides, cannot be valid.
    second.omits = tx -> true;
    NodeAddress first = world.add(node);
    NodeAddress other = world.add(second);
    world.run(SyncSettings.of(List.of(first, other), 1).preset(Preset.Fast.USUAL.verify(2)));
    assertThat(wallet.relevant).doesNotContainKey(lie.txid());
    assertThat(isComplete()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("impossible")
  void inAPendingPaymentAreTheEndOfThePeerThatRelaysIt(Tx lie) {
    node.mine(List.of(payments.pay(1)));
    SimulatedNode honest = withSameBlocks();
    Tx truth = payments.paying(MOST - 1, 0, 1);
    node.mempool.put(lie.txid(), lie);
    honest.mempool.put(truth.txid(), truth);
    NodeAddress liar = world.add(node);
    world.run(SyncSettings.of(List.of(liar, world.add(honest)), 1));
    assertThat(wallet.relevant).containsKey(truth.txid()).doesNotContainKey(lie.txid());
    assertThat(isLost(liar, DisconnectReason.INVALID_TRANSACTION)).isTrue();
    assertThat(isComplete()).isTrue();
  }

  /** The largest possible value is accepted. */
  @Test
  void allCoinsInOneOutputAreAPayment() {
    Tx truth = payments.paying(MOST);
    node.mine(List.of(truth));
    world.run(SyncSettings.of(List.of(world.add(node)), 1));
    assertThat(wallet.relevant).containsKey(truth.txid());
    assertThat(isComplete()).isTrue();
  }
}
