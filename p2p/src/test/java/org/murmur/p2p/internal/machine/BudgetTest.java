package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** A limit of bytes ends a session only when no peer may be asked for the rest. */
class BudgetTest {

  /** Less than a full message of headers, and far more than the blocks of these stories. */
  private static final long LIMIT = 160_000;

  private static final int BLOCKS = 40;
  private static final int BOAST = 1_000_000;

  private final SimulatedNode honest = new SimulatedNode();
  private final SimulatedWallet wallet = new SimulatedWallet(5);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);

  private final Tx payment = new Payments().pay(1);

  private static SyncSettings settings(NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 7)
        .limits(limits -> limits.mempoolWait(Duration.ZERO).bytes(LIMIT));
  }

  private void mine(int blocks) {
    for (int i = 0; i < blocks; i++) {
      honest.mine(List.of());
    }
  }

  private void mineAndPay() {
    mine(BLOCKS - 1);
    honest.mine(List.of(payment));
  }

  /** All that the others have is seen; it is unknown whether there is more. */
  private static void assertAllSeenAndMoreClaimed(SimulatedWorld world, Tx payment) {
    assertThat(world.wallet.confirmed).containsEntry(payment.txid(), BLOCKS);
    assertThat(world.events)
        .containsOnlyOnce(new SyncFact.BudgetSpent())
        .noneMatch(SyncFact.Complete.class::isInstance);
  }

  private SimulatedNode boaster() {
    SimulatedNode boaster = honest.twin();
    boaster.boasts = BOAST;
    return boaster;
  }

  private void assertComplete() {
    assertThat(world.events)
        .contains(new SyncFact.Complete(BLOCKS, honest.chain.tip()))
        .doesNotContain(new SyncFact.BudgetSpent());
  }

  /**
   * Milliseconds to each peer: decides whose version message comes first, and which peer answers
   * slowly.
   */
  @ParameterizedTest
  @CsvSource({"5, 5, 5", "100, 5, 5", "5, 100, 100", "2500, 5, 2500", "5, 2500, 2500", "5, 5, 100"})
  void aBoasterDoesNotUseUpTheLimit(int boaster, int second, int third) {
    mineAndPay();
    NodeAddress a = world.add(boaster());
    NodeAddress b = world.add(honest);
    NodeAddress c = world.add(honest.twin());
    world.delays.put(a, boaster);
    world.delays.put(b, second);
    world.delays.put(c, third);
    world.run(settings(a, b, c));
    assertAllSeenAndMoreClaimed(world, payment);
    assertThat(world.events)
        .filteredOn(SyncEvent.Warning.class::isInstance)
        .containsExactly(new SyncWarning.ClaimUnchecked(a, BLOCKS + BOAST));
  }

  /** Its headers are not requested, but others announce the same blocks. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aGuardThatBoastsIsSkippedToo(int which) {
    SimulatedWallet epochs = SimulatedWallet.ofEpochs(10, 50);
    SimulatedWorld guarded = new SimulatedWorld(1, epochs);
    mineAndPay();
    NodeAddress a = guarded.add(which == 0 ? boaster() : honest);
    NodeAddress b = guarded.add(which == 1 ? boaster() : honest);
    guarded.run(settings(a, b).keyedBy(Bytes.ofHex("c0ffee")).preset(Preset.Private.USUAL));
    assertAllSeenAndMoreClaimed(guarded, payment);
  }

  /** Of two peers the idle one has sent everything, and the other one's headers are many. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPeerThatStandsStillMakesNoSyncComplete(boolean standsStill) {
    mine(BLOCKS);
    SimulatedNode behind = honest.follower();
    for (int i = 0; i < 2_100; i++) {
      honest.mine(List.of());
    }
    NodeAddress a = world.add(honest);
    NodeAddress b = world.add(standsStill ? behind : honest.twin());
    world.run(settings(a, b));
    assertThat(world.events)
        .containsOnlyOnce(new SyncFact.BudgetSpent())
        .noneMatch(SyncFact.Complete.class::isInstance);
  }

  @Test
  void ifAllPeersBoastItEndsAtOnceAndReportsIt() {
    mine(BLOCKS);
    NodeAddress a = world.add(boaster());
    NodeAddress b = world.add(boaster());
    world.run(settings(a, b));
    assertThat(world.events).containsOnlyOnce(new SyncFact.BudgetSpent());
    assertThat(world.events).noneMatch(SyncFact.Complete.class::isInstance);
    assertThat(world.sent).noneMatch(Message.GetHeaders.class::isInstance);
    assertThat(world.elapsed()).isLessThan(Duration.ofSeconds(3));
  }

  /** The boaster connects first, and the other one that could be asked is not there yet. */
  @Test
  void aLateVersionMessageIsWaitedFor() {
    mineAndPay();
    NodeAddress a = world.add(boaster());
    NodeAddress b = world.add(honest);
    world.delays.put(b, 4_000);
    world.run(settings(a, b));
    assertAllSeenAndMoreClaimed(world, payment);
  }

  /** Each session scans some more blocks, at any pace of the disk, and none hangs. */
  @ParameterizedTest
  @CsvSource({"1, 25000, 1", "1, 25000, 700", "2, 25000, 700", "3, 25000, 1", "3, 26000, 5000"})
  void sessionsOfLittleComeToTheEndOfIt(int peers, long limit, int commitMillis) {
    mine(300);
    world.commitMillis = commitMillis;
    NodeAddress[] all = new NodeAddress[peers];
    for (int i = 0; i < peers; i++) {
      all[i] = world.add(i == 0 ? honest : honest.twin());
    }
    int sessions = 0;
    while (world.events.stream().noneMatch(SyncFact.Complete.class::isInstance)) {
      assertThat(++sessions).isLessThan(10);
      world.run(settings(all).limits(limits -> limits.bytes(limit)));
    }
    assertThat(sessions).isGreaterThan(1);
    assertThat(spent()).isEqualTo(sessions - 1);
    assertThat(world.events).contains(new SyncFact.Complete(300, honest.chain.tip()));
  }

  private long spent() {
    return world.events.stream().filter(SyncFact.BudgetSpent.class::isInstance).count();
  }

  @Test
  void aLimitThatSufficesIsNotSpentWhileTheLastCommitIsWritten() {
    mine(BLOCKS);
    world.commitMillis = 5_000;
    NodeAddress a = world.add(honest);
    world.run(settings(a).limits(limits -> limits.bytes(12_000)));
    assertComplete();
  }
}
