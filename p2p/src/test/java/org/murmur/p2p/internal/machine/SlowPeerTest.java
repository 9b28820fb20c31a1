package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.scan.BlockScan;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/**
 * Honest peers that get a block later than others, and some that never do. A node skips a block
 * silently that it does not have yet, as Core does.
 */
class SlowPeerTest {

  private static final int HEIGHT = 30;
  private static final int NEWS = 20;

  private final Payments payments = new Payments();
  private final SimulatedNode quick = new SimulatedNode();
  private final Map<Hash256, Integer> truth = new HashMap<>();
  private final SimulatedWallet wallet = SimulatedWallet.ofEpochs(10, 50);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  private static SyncSettings guarded(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 5)
        .keyedBy(Bytes.ofHex("c0ffee"))
        .preset(Preset.Private.USUAL);
  }

  private static SyncSettings witnessed(NodeAddress... peers) {
    SyncSettings usual = SyncSettings.of(List.of(peers), 5);
    return usual.preset(Preset.Fast.USUAL.verify(2));
  }

  private void pay(int script) {
    Tx payment = payments.pay(script);
    quick.mine(List.of(payment));
    truth.put(payment.txid(), quick.chain.height());
  }

  private void blocks(int count) {
    for (int i = 0; i < count; i++) {
      quick.mine(List.of());
    }
  }

  private void announce(SimulatedNode node) {
    int tip = node.chain.height();
    world.announce(node, new Message.HeadersMessage(node.chain.headers(tip, tip + 1)));
  }

  private void announceByHash(SimulatedNode node) {
    world.announce(
        node, new Message.Inv(List.of(new InventoryItem(InventoryItem.BLOCK, node.chain.tip()))));
  }

  private List<SyncEvent.PeerLost> lost(NodeAddress address) {
    return world.events.stream()
        .filter(SyncEvent.PeerLost.class::isInstance)
        .map(SyncEvent.PeerLost.class::cast)
        .filter(lost -> lost.address().equals(address))
        .filter(lost -> lost.reason() != DisconnectReason.DONE)
        .toList();
  }

  private boolean isComplete() {
    return world.events.contains(new SyncFact.Complete(quick.chain.height(), quick.chain.tip()));
  }

  /** Blocks come, a payment in each, and a follower gets each of them this much later. */
  private void news(SimulatedNode slow, long every, long lag) {
    world.keepsQueue = true;
    for (int i = 0; i < NEWS; i++) {
      int script = i % 10;
      boolean byHash = i % 2 == 0;
      long at = 30_000 + every * i;
      world.later(
          at,
          () -> {
            pay(script);
            announce(quick);
          });
      world.later(
          at + lag,
          () -> {
            slow.catchUp(quick);
            if (byHash) {
              announceByHash(slow);
            } else {
              announce(slow);
            }
          });
    }
    world.later(30_000 + every * NEWS + lag + 60_000, () -> world.post(new Input.Stop()));
  }

  @ParameterizedTest
  @ValueSource(longs = {2_000, 30_000, 240_000})
  void aGuardMayGetBlocksLaterThanTheOther(long lag) {
    blocks(HEIGHT);
    SimulatedNode slow = quick.follower();
    news(slow, 300_000, lag);
    NodeAddress a = world.add(quick);
    NodeAddress b = world.add(slow);
    world.run(guarded(a, b).follow(true));
    assertThat(lost(b)).isEmpty();
    assertThat(lost(a)).isEmpty();
    assertThat(wallet.confirmed).isEqualTo(truth);
    assertThat(isComplete()).isTrue();
  }

  /**
   * A block is requested once, when the guard has announced it, and the grid is not requested
   * again.
   */
  @Test
  void aGuardThatIsLittleBehindIsNotAskedTooEarly() {
    blocks(HEIGHT);
    SimulatedNode slow = quick.follower();
    news(slow, 10_000, 2_000);
    NodeAddress a = world.add(quick);
    NodeAddress b = world.add(slow);
    int[] asked = {0};
    world.onSend =
        message -> {
          if (message instanceof Message.GetData ask
              && ask.items().get(ask.items().size() - 1).type() == InventoryItem.FILTERED_BLOCK) {
            asked[0] += ask.items().size();
          }
        };
    world.run(guarded(a, b).follow(true));
    assertThat(wallet.confirmed).isEqualTo(truth);
    assertThat(asked[0]).isEqualTo(2 * (HEIGHT + NEWS));
  }

  /** Core announces no block that it believes we have. */
  @Test
  void aGuardThatAnnouncesNoBlocksIsAskedAnyway() {
    blocks(HEIGHT);
    world.keepsQueue = true;
    for (int i = 0; i < NEWS; i++) {
      int script = i % 10;
      world.later(
          30_000 + 20_000L * i,
          () -> {
            pay(script);
            announce(quick);
          });
    }
    world.later(30_000 + 20_000L * NEWS, () -> world.post(new Input.Stop()));
    NodeAddress a = world.add(quick);
    NodeAddress b = world.add(quick.twin());
    world.run(guarded(a, b).follow(true));
    assertThat(lost(b)).isEmpty();
    assertThat(wallet.confirmed).isEqualTo(truth);
    assertThat(isComplete()).isTrue();
  }

  /**
   * It announces each block before it can serve it: one skip is forgotten when it has served it.
   */
  @Test
  void aGuardMayPassEachBlockOverOnce() {
    blocks(HEIGHT);
    SimulatedNode hasty = quick.twin();
    world.keepsQueue = true;
    for (int i = 0; i < NEWS; i++) {
      int script = i % 10;
      world.later(
          30_000 + 20_000L * i,
          () -> {
            hasty.lacksFrom = quick.chain.height() + 1;
            pay(script);
            announce(hasty);
            announce(quick);
          });
      world.later(30_500 + 20_000L * i, () -> hasty.lacksFrom = Integer.MAX_VALUE);
    }
    world.later(30_000 + 20_000L * NEWS, () -> world.post(new Input.Stop()));
    NodeAddress a = world.add(quick);
    NodeAddress b = world.add(hasty);
    world.run(guarded(a, b).follow(true));
    assertThat(lost(b)).isEmpty();
    assertThat(wallet.confirmed).isEqualTo(truth);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSecondPeerMayGetTheNewestBlockLater(boolean tells) {
    blocks(HEIGHT);
    SimulatedNode slow = quick.follower();
    pay(3);
    world.keepsQueue = true;
    world.later(
        30_000,
        () -> {
          slow.catchUp(quick);
          if (tells) {
            announce(slow);
          }
        });
    NodeAddress a = world.add(quick);
    NodeAddress b = world.add(slow);
    world.run(witnessed(a, b));
    assertThat(isComplete()).isTrue();
    assertThat(lost(b)).isEmpty();
    assertThat(world.servers(quick.chain.tip())).containsExactlyInAnyOrder(a, b);
    assertThat(wallet.confirmed).isEqualTo(truth);
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(2));
    assertThat(world.events)
        .filteredOn(
            event ->
                event instanceof SyncEvent.Note note && note.topic() == SyncEvent.Note.Topic.BLOCKS)
        .hasSize(1);
  }

  @Test
  void aGuardMayGetTheNewestBlockLaterInASyncThatEnds() {
    blocks(HEIGHT);
    SimulatedNode slow = quick.follower();
    pay(3);
    world.keepsQueue = true;
    world.later(
        60_000,
        () -> {
          slow.catchUp(quick);
          announce(slow);
        });
    NodeAddress a = world.add(quick);
    NodeAddress b = world.add(slow);
    world.run(guarded(a, b));
    assertThat(isComplete()).isTrue();
    assertThat(lost(b)).isEmpty();
    assertThat(wallet.confirmed).isEqualTo(truth);
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(80));
  }

  /** It is as high as we are, but for half a minute on the branch that loses the race. */
  @Test
  void aSecondPeerMayBeOnTheLosingBranch() {
    blocks(HEIGHT);
    SimulatedNode slow = quick.follower();
    slow.mine(List.of());
    pay(3);
    pay(4);
    world.keepsQueue = true;
    world.later(
        30_000,
        () -> {
          follow(slow);
          announceLastTwo(slow);
        });
    NodeAddress a = world.add(quick);
    NodeAddress b = world.add(slow);
    world.run(witnessed(a, b));
    assertThat(lost(b)).isEmpty();
    assertThat(isComplete()).isTrue();
    assertThat(wallet.confirmed).isEqualTo(truth);
  }

  @Test
  void theSyncDoesNotWaitForAnUnneededSecondPeer() {
    blocks(HEIGHT);
    SimulatedNode stuck = quick.follower();
    pay(3);
    NodeAddress b = world.add(stuck);
    NodeAddress a = world.add(quick);
    NodeAddress c = world.add(quick.twin());
    world.run(witnessed(b, a, c));
    assertThat(isComplete()).isTrue();
    assertThat(wallet.confirmed).isEqualTo(truth);
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(20));
  }

  /** It has all blocks, and at each request serves one more of those requested again. */
  @ParameterizedTest
  @EnumSource(names = {"UP", "DOWN"})
  void aGuardThatCreepsIsDropped(SimulatedNode.Passing how) {
    blocks(400);
    SimulatedNode creeping = quick.twin();
    creeping.passes = how;
    NodeAddress a = world.add(creeping);
    NodeAddress b = world.add(quick);
    world.run(guarded(a, b));
    assertThat(lost(a))
        .isNotEmpty()
        .allMatch(lost -> lost.reason() == DisconnectReason.LACKS_BLOCKS);
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(2));
  }

  /** Each skipped block ended a row, and cost a new plan. */
  @Test
  void aPeerThatSkipsEverySecondBlockIsDropped() {
    blocks(4_000);
    SimulatedNode skipping = quick.twin();
    skipping.passes = SimulatedNode.Passing.SKIPPING;
    NodeAddress a = world.add(skipping);
    NodeAddress b = world.add(quick);
    world.run(SyncSettings.of(List.of(a, b), 5));
    assertThat(lost(a))
        .isNotEmpty()
        .allMatch(lost -> lost.reason() == DisconnectReason.LACKS_BLOCKS);
    assertThat(isComplete()).isTrue();
    assertThat(wallet.rows).hasSizeLessThan(5 * BlockScan.MAX_PASSES);
  }

  @Test
  void aSecondPeerThatAnnouncesABlockAndNeverServesItIsDroppedSoon() {
    blocks(HEIGHT);
    pay(3);
    SimulatedNode liar = quick.twin();
    liar.lacksFrom = quick.chain.height();
    NodeAddress b = world.add(liar);
    NodeAddress a = world.add(quick);
    world.run(witnessed(b, a));
    assertThat(lost(b))
        .singleElement()
        .extracting(SyncEvent.PeerLost::reason)
        .isEqualTo(DisconnectReason.LACKS_BLOCKS);
    assertThat(world.events).contains(new SyncFact.TooFewCrossChecks(HEIGHT + 1, 2, 1));
    assertThat(wallet.confirmed).isEqualTo(truth);
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void aSecondPeerThatNeverGetsABlockIsDroppedInTheEnd() {
    blocks(HEIGHT);
    SimulatedNode stuck = quick.follower();
    pay(3);
    NodeAddress b = world.add(stuck);
    NodeAddress a = world.add(quick);
    world.run(witnessed(b, a));
    assertThat(lost(b))
        .singleElement()
        .extracting(SyncEvent.PeerLost::reason)
        .isEqualTo(DisconnectReason.LACKS_BLOCKS);
    assertThat(world.events).contains(new SyncFact.TooFewCrossChecks(HEIGHT + 1, 2, 1));
    assertThat(wallet.confirmed).isEqualTo(truth);
    assertThat(world.elapsed())
        .isBetween(BlockScan.LATE, BlockScan.LATE.plus(Duration.ofMinutes(2)));
  }

  /** It announces every block, at once, and serves none of the new ones. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aGuardThatNeverServesNewBlocksIsDropped(boolean tells) {
    blocks(HEIGHT);
    SimulatedNode liar = quick.twin();
    liar.lacksFrom = quick.chain.height() + 1;
    world.keepsQueue = true;
    for (int i = 0; i < NEWS; i++) {
      world.later(
          30_000 + 60_000L * i,
          () -> {
            pay(3);
            announce(quick);
            if (tells) {
              announce(liar);
            }
          });
    }
    Duration[] gone = {Duration.ZERO};
    world.later(30_000 + 60_000L * NEWS, () -> world.post(new Input.Stop()));
    NodeAddress a = world.add(quick);
    NodeAddress b = world.add(liar);
    world.onSend =
        message -> {
          if (gone[0].isZero() && !lost(b).isEmpty()) {
            gone[0] = world.elapsed();
          }
        };
    world.run(guarded(a, b).follow(true));
    assertThat(lost(b))
        .isNotEmpty()
        .allMatch(lost -> lost.reason() == DisconnectReason.LACKS_BLOCKS);
    assertThat(gone[0]).isLessThan(Duration.ofMinutes(tells ? 2 : 13));
  }

  /** No peer is known to have the blocks of a better branch before it announces them. */
  @Test
  void aGuardMayGetABetterBranchLater() {
    blocks(HEIGHT);
    SimulatedNode slow = quick.follower();
    world.keepsQueue = true;
    for (int i = 0; i < 8; i++) {
      long at = 30_000 + 60_000L * i;
      world.later(
          at,
          () -> {
            Hash256 fork = quick.chain.hashAt(quick.chain.height() - 1);
            int height = quick.chain.height() - 1;
            quick.mineOn(fork, height, List.of());
            quick.mine(List.of());
            announceLastTwo(quick);
          });
      world.later(
          at + 3_000,
          () -> {
            follow(slow);
            announceLastTwo(slow);
          });
    }
    world.later(600_000, () -> world.post(new Input.Stop()));
    NodeAddress a = world.add(quick);
    NodeAddress b = world.add(slow);
    world.run(guarded(a, b).follow(true));
    assertThat(lost(b)).isEmpty();
    assertThat(isComplete()).isTrue();
  }

  private void follow(SimulatedNode slow) {
    int tip = quick.chain.height();
    slow.chain.connect(quick.chain.headers(tip - 1, tip + 1), 2_000_000_000L);
  }

  private void announceLastTwo(SimulatedNode node) {
    int tip = node.chain.height();
    Headers both = node.chain.headers(tip - 1, tip + 1);
    world.announce(node, new Message.HeadersMessage(both));
  }

  /** The ping after the last request was sent when all of them were. */
  @Test
  void theLastPongOfASlowGuardIsWaitedFor() {
    blocks(1_100);
    pay(1);
    NodeAddress slow = world.add(quick);
    world.blocksPerSecond = 20;
    world.run(
        SyncSettings.of(List.of(slow), 5)
            .keyedBy(Bytes.ofHex("c0ffee"))
            .preset(Preset.Private.USUAL.onePeer(true)));
    assertThat(lost(slow)).isEmpty();
    assertThat(isComplete()).isTrue();
    assertThat(wallet.confirmed).isEqualTo(truth);
  }
}
