package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.merkle.Verdict;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/**
 * Blocks of honest peers in which two adjacent txids read like a transaction of 64 bytes, so that
 * no tree shows its depth (CVE-2017-12842). Anyone can send two such payments.
 */
class DoubtfulDepthTest {

  private static final int TIP = 30;

  /** Coins spent by the right one of each pair; to find such a number takes a second. */
  private static final Map<Integer, Integer> RIGHT = Map.of(10, 217_279, TIP, 2_126_093);

  /** So many that a peer which sent them unsolicited would be dropped. */
  private static final int MORE = 40;

  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedNode other = honest.twin();
  private final SimulatedWallet fast = new SimulatedWallet(5);
  private final SimulatedWallet guarded = SimulatedWallet.ofEpochs(10, 50);
  private final Map<Hash256, Integer> payments = new HashMap<>();
  private int coins;

  @BeforeEach
  void mineTwoDoubtfulBlocks() {
    for (int height = 1; height <= TIP; height++) {
      Integer right = RIGHT.get(height);
      honest.mine(right == null ? List.of() : pair(height, right));
    }
    RIGHT.keySet().forEach(height -> assertThat(mayFakeItsDepth(height)).isTrue());
  }

  /** A filler, then third and fourth of their block: adjacent in the tree. */
  private List<Tx> pair(int height, int right) {
    Tx left = pay(coins++, 1);
    while (left.txid().toInternal()[4] != 1) {
      left = pay(coins++, 1);
    }
    List<Tx> pair = List.of(left, pay(right, 2));
    pair.forEach(tx -> payments.put(tx.txid(), height));
    List<Tx> all = new ArrayList<>(pair);
    for (int i = 0; i < MORE; i++) {
      Tx more = pay(1_000_000 + height * MORE + i, 1);
      payments.put(more.txid(), height);
      all.add(more);
    }
    all.add(0, Payments.tx(List.of(coin(-1 - height)), List.of(Payments.FOREIGN)));
    return all;
  }

  private static Tx pay(int coin, int script) {
    return Payments.tx(
        List.of(coin(coin)), List.of(SimulatedWallet.script(script), Payments.FOREIGN));
  }

  private static OutPoint coin(int number) {
    return new OutPoint(Hash256.ZERO, number);
  }

  private boolean mayFakeItsDepth(int height) {
    SimulatedNode.Block block = honest.block(height);
    BitSet payments = new BitSet();
    payments.set(2, 4 + MORE);
    List<Hash256> txids = block.transactions().stream().map(Tx::txid).toList();
    MerkleBlock proof = MerkleBlock.of(block.header(), PartialMerkleTree.build(txids, payments));
    return proof.verify() instanceof Verdict.Proven proven && proven.mayFakeItsDepth();
  }

  private static SyncSettings among(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 7);
  }

  private static SyncSettings guardedBy(NodeAddress... peers) {
    return among(peers).keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL.onePeer(true));
  }

  private static <E extends SyncEvent> List<E> of(SimulatedWorld world, Class<E> type) {
    return world.events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static long wholeBlocksAsked(SimulatedWorld world) {
    return world.sent.stream()
        .filter(Message.GetData.class::isInstance)
        .flatMap(message -> ((Message.GetData) message).items().stream())
        .filter(item -> item.type() == InventoryItem.BLOCK)
        .count();
  }

  private void isTheTruth(SimulatedWorld world, SimulatedWallet wallet) {
    assertThat(wallet.confirmed).isEqualTo(payments);
    assertThat(of(world, SyncFact.Complete.class)).hasSize(1);
    assertThat(of(world, SyncEvent.PeerLost.class))
        .allMatch(lost -> lost.reason() == DisconnectReason.DONE);
  }

  @Test
  void theWholeBlockDecidesAndNoPeerIsBlamed() {
    SimulatedWorld world = new SimulatedWorld(1, fast);
    world.run(among(world.add(honest)));
    isTheTruth(world, fast);
    assertThat(wholeBlocksAsked(world)).isEqualTo(2);
  }

  @Test
  void amongSeveralWitnessesToo() {
    SimulatedWorld world = new SimulatedWorld(1, fast);
    world.run(
        among(world.add(honest), world.add(other), world.add(honest))
            .preset(Preset.Fast.USUAL.verify(2)));
    isTheTruth(world, fast);
    assertThat(wholeBlocksAsked(world)).isEqualTo(2);
  }

  @Test
  void andUnderFrozenFilters() {
    SimulatedWorld world = new SimulatedWorld(1, guarded);
    world.run(guardedBy(world.add(honest)));
    isTheTruth(world, guarded);
  }

  /** Slower than the pause before a skipped block is requested again. */
  @Test
  void howeverLongTheWholeBlockTakes() {
    for (SimulatedWallet wallet : List.of(fast, guarded)) {
      SimulatedWorld world = new SimulatedWorld(1, wallet);
      world.wholeBlockTakes = Duration.ofSeconds(20);
      NodeAddress peer = world.add(honest);
      world.run(wallet == fast ? among(peer) : guardedBy(peer));
      isTheTruth(world, wallet);
    }
  }

  @Test
  void underALimitOfBytesItIsNotAskedForInVain() {
    SimulatedWorld world = new SimulatedWorld(1, fast);
    NodeAddress peer = world.add(honest);
    world.run(among(peer).limits(limits -> limits.bytes(500_000)));
    assertThat(wholeBlocksAsked(world)).isZero();
    assertThat(of(world, SyncFact.BudgetSpent.class)).hasSize(1);
    assertThat(of(world, SyncEvent.Warning.class))
        .anyMatch(
            warning ->
                warning instanceof SyncWarning.NoBytesForWholeBlock whole && whole.height() == 10);
    assertThat(of(world, SyncFact.Complete.class)).isEmpty();
    world.events.clear();
    world.run(among(peer).limits(limits -> limits.bytes(5_000_000)));
    isTheTruth(world, fast);
  }

  @Test
  void aPeerThatDoesNotServeItIsNotBelieved() {
    other.hidesWholeBlocks = true;
    for (SimulatedWallet wallet : List.of(fast, guarded)) {
      SimulatedWorld world = new SimulatedWorld(1, wallet);
      NodeAddress peer = world.add(other);
      world.run(wallet == fast ? among(peer) : guardedBy(peer));
      assertThat(of(world, SyncEvent.PeerLost.class))
          .anyMatch(lost -> lost.reason() == DisconnectReason.LACKS_BLOCKS);
      assertThat(of(world, SyncFact.Complete.class)).isEmpty();
      assertThat(wallet.confirmed).isEmpty();
    }
    SimulatedWorld world = new SimulatedWorld(1, fast);
    world.run(among(world.add(other), world.add(honest)));
    assertThat(fast.confirmed).isEqualTo(payments);
    assertThat(of(world, SyncFact.Complete.class)).hasSize(1);
  }
}
