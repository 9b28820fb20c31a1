package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.headers.Reach;
import org.murmur.p2p.internal.headers.Tip;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;

/** Peers that are on another chain, or lack blocks of ours: they are useless, and are reported. */
class OtherChainTest {

  private static final int HEIGHT = 129;
  private static final int FOREIGN_HEIGHT = 60;

  private final Payments payments = new Payments();
  private final Tx payment = payments.pay(1);
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedNode foreign = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(10);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private NodeAddress good = new NodeAddress("10.0.0.250", 1);
  private NodeAddress other = good;

  @BeforeEach
  void chains() {
    foreign.mine(List.of(payments.pay(2)));
    mine(foreign, FOREIGN_HEIGHT - 1);
    node.mine(List.of(payment));
    mine(node, HEIGHT - 1);
    good = world.add(node);
    other = world.add(foreign);
  }

  private static void mine(SimulatedNode node, int blocks) {
    for (int i = 0; i < blocks; i++) {
      node.mine(List.of());
    }
  }

  private static SyncSettings settings(boolean follow, int verify, NodeAddress... peers) {
    SyncSettings usual = SyncSettings.of(List.of(peers), 1);
    return usual.follow(follow).preset(Preset.Fast.USUAL.verify(verify));
  }

  private List<SyncEvent.PeerLost> lost(NodeAddress address) {
    return world.events.stream()
        .filter(SyncEvent.PeerLost.class::isInstance)
        .map(SyncEvent.PeerLost.class::cast)
        .filter(lost -> lost.address().equals(address))
        .toList();
  }

  private long versionsOf(NodeAddress address) {
    return world.events.stream()
        .filter(e -> e instanceof SyncEvent.PeerReady ready && ready.address().equals(address))
        .count();
  }

  private long filtersShownTo(NodeAddress address) {
    return wallet.loads.values().stream().filter(load -> load.peer().equals(address)).count();
  }

  private void saysThatItIsElsewhere() {
    assertThat(lost(other))
        .singleElement()
        .isEqualTo(
            new SyncEvent.PeerLost(
                other,
                DisconnectReason.OTHER_CHAIN,
                "on another chain: its tip is at height 60, ours at height 129 has more work, and"
                    + " they fork at height 0"));
    assertThat(versionsOf(other)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"5, 5", "5, 400", "400, 5"})
  void isNoWitness(int ofGood, int ofForeign) {
    world.delays.put(good, ofGood);
    world.delays.put(other, ofForeign);
    world.run(settings(false, 2, good, other));
    assertThat(world.events).contains(new SyncFact.TooFewCrossChecks(HEIGHT, 2, 1));
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(1));
    saysThatItIsElsewhere();
    // The first chain counts until another one has more work.
    assertThat(filtersShownTo(other)).isEqualTo(ofForeign < ofGood ? 1 : 0);
    assertThat(wallet.confirmed).containsOnlyKeys(payment.txid());
  }

  @Test
  void doesNotDisturbTwoThatAgree() {
    NodeAddress third = world.add(node.twin());
    world.run(settings(false, 2, good, other, third));
    assertThat(world.events).contains(new SyncFact.Complete(HEIGHT, node.chain.tip()));
    assertThat(filtersShownTo(other)).isZero();
    assertThat(lost(other))
        .singleElement()
        .satisfies(
            lost -> {
              assertThat(lost.reason()).isEqualTo(DisconnectReason.DONE);
              assertThat(lost.detail()).startsWith("on another chain");
            });
    // The sync does not wait to see whether it follows after all.
    assertThat(world.elapsed()).isLessThan(Tip.BRANCH_PATIENCE.plusSeconds(10));
  }

  @Test
  void aPeerOnALosingBranchForAMomentIsNotOnAnotherChain() {
    // It learns of the better branch a few seconds after us, and is the second peer that we need.
    boolean[] done = {false};
    world.onSend =
        message -> {
          if (message instanceof Message.GetData && !done[0]) {
            done[0] = true;
            world.later(
                4_000,
                () -> {
                  foreign.chain.connect(node.chain.headers(1, HEIGHT + 1), 2_000_000_000L);
                  foreign.blocks.putAll(node.blocks);
                });
          }
        };
    world.run(settings(false, 2, good, other));
    assertThat(world.events).contains(new SyncFact.Complete(HEIGHT, node.chain.tip()));
    assertThat(lost(other)).isEmpty();
  }

  @Test
  void aloneItEndsTheSessionOfAWalletThatKnowsMore() {
    world.run(settings(false, 1, good));
    world.events.clear();
    world.run(settings(false, 1, other));
    assertThat(world.events).noneMatch(SyncFact.Complete.class::isInstance);
    assertThat(world.events)
        .filteredOn(SyncFact.NoUsablePeer.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            SyncFact.NoUsablePeer.class,
            none -> {
              assertThat(none.detail()).contains("on another chain");
              assertThat(none.obstacles()).containsExactly(Map.entry(other, Obstacle.OTHER_CHAIN));
            });
    saysThatItIsElsewhere();
    assertThat(filtersShownTo(other)).isZero();
  }

  /** The wallet knows the headers, but no peer has their blocks. */
  @Test
  void aPeerThatIsFarBehindAloneEndsTheSession() {
    mine(node, Reach.FAR_BEHIND);
    SimulatedNode shorter = new SimulatedNode();
    shorter.chain.connect(node.chain.headers(1, 11), 2_000_000_000L);
    shorter.blocks.putAll(node.blocks);
    NodeAddress behind = world.add(shorter);
    world.run(settings(false, 1, good).headersOnly(true));
    world.events.clear();
    world.run(settings(false, 1, behind));
    assertThat(lost(behind))
        .extracting(SyncEvent.PeerLost::reason)
        .containsOnly(DisconnectReason.STALE_TIP);
    assertThat(world.events)
        .filteredOn(SyncFact.NoUsablePeer.class::isInstance)
        .extracting(none -> ((SyncFact.NoUsablePeer) none).obstacles())
        .containsExactly(Map.of(behind, Obstacle.BEHIND));
  }

  @Test
  void aPeerThatHidesItsHeadersIsDroppedForTheBlocksItLacks() {
    foreign.headersServed = (ask, honest) -> Headers.NONE;
    world.run(settings(false, 2, good, other));
    assertThat(world.events).contains(new SyncFact.TooFewCrossChecks(HEIGHT, 2, 1));
    assertThat(lost(other))
        .singleElement()
        .extracting(SyncEvent.PeerLost::reason)
        .isEqualTo(DisconnectReason.LACKS_BLOCKS);
    assertThat(versionsOf(other)).isEqualTo(1);
    assertThat(filtersShownTo(other)).isLessThanOrEqualTo(1);
    assertThat(world.elapsed()).isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void aRaceAtTheTipIsNoOtherChain() {
    SimulatedNode racing = new SimulatedNode();
    for (int height = 1; height <= HEIGHT; height++) {
      SimulatedNode.Block block = node.blocks.get(node.chain.hashAt(height));
      racing.blocks.put(node.chain.hashAt(height), block);
    }
    racing.chain.connect(node.chain.headers(1, HEIGHT + 1), 2_000_000_000L);
    racing.mine(List.of(payments.pay(3)));
    mine(node, 2);
    NodeAddress third = world.add(racing);
    world.onSend =
        message -> {
          if (message instanceof Message.GetData) {
            // It takes the longer branch over before long.
            racing.blocks.putAll(node.blocks);
            racing.chain.connect(node.chain.headers(HEIGHT + 1, HEIGHT + 3), 2_000_000_000L);
          }
        };
    world.run(settings(false, 2, good, third));
    assertThat(world.events).contains(new SyncFact.Complete(HEIGHT + 2, node.chain.tip()));
    assertThat(lost(third)).isEmpty();
  }

  @Test
  void aPeerThatFollowsTheBetterChainLateIsAskedOnceMoreAndStays() {
    // Both are on the chain that loses; one of them announces the better one first.
    SimulatedNode late = foreign.twin();
    NodeAddress third = world.add(late);
    boolean[] done = {false};
    world.onSend =
        message -> {
          if (message instanceof Message.Mempool && !done[0]) {
            done[0] = true;
            foreign.chain.connect(node.chain.headers(1, HEIGHT + 1), 2_000_000_000L);
            foreign.blocks.putAll(node.blocks);
            world.announce(foreign, new Message.HeadersMessage(node.chain.headers(1, HEIGHT + 1)));
            world.later(20_000, () -> world.give(new Input.Stop()));
          }
        };
    world.run(settings(true, 2, other, third));
    assertThat(world.events).contains(new SyncFact.Complete(HEIGHT, node.chain.tip()));
    assertThat(lost(third)).isEmpty();
    assertThat(lost(other)).isEmpty();
  }
}
