package org.murmur.testbed.world.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.murmur.testbed.world.judge.Scenery.assertBreach;
import static org.murmur.testbed.world.judge.Scenery.loading;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.sync.Load;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.SyncEvent.MempoolAnswered;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.regtest.WalletTruth;
import org.murmur.regtest.node.Behaviour;
import org.murmur.testbed.world.chain.ClientChain;
import org.murmur.testbed.world.client.Holdings;
import org.murmur.testbed.world.network.ConversationLog;
import org.murmur.testbed.world.plan.Guarding;
import org.murmur.testbed.world.plan.WorldPlan;

/** Under the private preset: the rules for pending payments at the end, and for claims. */
class GuardedPresetTest {

  private final Scenery scenery = new Scenery(1, WorldPlan.Kind.HONEST, WorldPlan.Kind.DRIPPING);
  private Holdings right = scenery.holdings();

  @BeforeEach
  void somethingIsPending() {
    for (int i = 0; i < 200 && right.unconfirmedSat() == 0; i++) {
      scenery.economy.stir();
      right = scenery.holdings();
    }
    assertThat(right.unconfirmedSat()).isNotZero();
  }

  private GuardedPreset preset(boolean onePeer) {
    return new GuardedPreset(
        new Guarding(0, SizeClass.THRIFTY, Duration.ZERO, 0, onePeer, 0), scenery.economy, false);
  }

  /** Peers got an epoch of a role that holds everything. */
  private void guard(GuardedPreset preset, FilterRole role, int peer) {
    BloomFilter.Builder builder =
        BloomFilter.builder(
            SizeClass.holding(SizeClass.THRIFTY, 4_000)
                .parameters(role == FilterRole.SCRIPTS ? 1 : 2));
    scenery.elements().forEach(builder::add);
    BloomFilter filter = builder.build();
    preset
        .rules()
        .written(
            loading(
                new Load(
                    1, Scenery.peer(peer), new Content.Epoch(role, 0, new BitSet()), filter, 0)));
    preset.rules().sent(new ConversationLog(Scenery.peer(peer)), new Message.FilterLoad(filter));
  }

  private static ProcessEvents heard(MempoolAnswered.Answer answer) {
    ProcessEvents heard = new ProcessEvents();
    heard.complete();
    heard.mempool(new MempoolAnswered(answer));
    return heard;
  }

  private void end(GuardedPreset preset, ProcessEvents heard, Holdings holdings) {
    preset.atEnd(heard, holdings, scenery::who);
  }

  private Holdings with(List<Holdings.Entry> entries) {
    return new Holdings(
        right.height(),
        right.tip(),
        right.confirmedSat(),
        right.immatureSat(),
        right.unconfirmedSat(),
        entries,
        right.coins());
  }

  private Holdings withoutPending() {
    return with(
        right.transactions().stream()
            .filter(entry -> entry.height() != WalletTruth.UNCONFIRMED)
            .toList());
  }

  @Test
  void walletKnowsThePendingPaymentsThatItsGuardsAnnounce() {
    GuardedPreset preset = preset(false);
    guard(preset, FilterRole.SCRIPTS, 0);
    end(preset, heard(MempoolAnswered.Answer.PARTIAL), right);
    assertBreach(
        "does not know of the pending payment",
        () -> end(preset, heard(MempoolAnswered.Answer.PARTIAL), withoutPending()));
    // No peer was asked.
    end(preset, heard(MempoolAnswered.Answer.SKIPPED), withoutPending());
  }

  @Test
  void guardThatDripsHasToAnnounceNothing() {
    GuardedPreset preset = preset(false);
    guard(preset, FilterRole.SCRIPTS, 1);
    end(preset, heard(MempoolAnswered.Answer.PARTIAL), withoutPending());
  }

  /** It delays announcements, so one may still be on its way at the end. */
  @Test
  void guardThatSpreadsItsAnnouncementsHasToAnnounceNothing() {
    GuardedPreset preset = preset(false);
    guard(preset, FilterRole.SCRIPTS, 0);
    WorldPlan.Neighbour honest = scenery.who(Scenery.peer(0));
    WorldPlan.Neighbour spreading =
        new WorldPlan.Neighbour(
            honest.kind(),
            Behaviour.honest().spreadingAnnouncements(Duration.ofSeconds(5)),
            honest.latency(),
            honest.work(),
            honest.lag());
    preset.atEnd(heard(MempoolAnswered.Answer.PARTIAL), withoutPending(), peer -> spreading);
  }

  @Test
  void singleGuardThatDidNotAnswerCountsForScriptsOnly() {
    GuardedPreset preset = preset(true);
    guard(preset, FilterRole.OUTPOINTS, 0);
    end(preset, heard(MempoolAnswered.Answer.PARTIAL), withoutPending());
    assertBreach(
        "does not know of the pending payment",
        () -> end(preset, heard(MempoolAnswered.Answer.COMPLETE), withoutPending()));
  }

  @Test
  void walletDoubtsPaymentsThatItsOnlyGuardLacks() {
    GuardedPreset preset = preset(true);
    guard(preset, FilterRole.SCRIPTS, 0);
    Holdings ghost = right;
    scenery.economy.mempool.clear();
    assertBreach(
        "which no guard announced",
        () -> end(preset, heard(MempoolAnswered.Answer.COMPLETE), ghost));
    // It may have come too late for that.
    end(preset, heard(MempoolAnswered.Answer.PARTIAL), ghost);
    ProcessEvents lost = new ProcessEvents();
    lost.complete();
    lost.peerLost();
    lost.mempool(new MempoolAnswered(MempoolAnswered.Answer.COMPLETE));
    end(preset, lost, ghost);
    GuardedPreset two = preset(false);
    guard(two, FilterRole.SCRIPTS, 0);
    end(two, heard(MempoolAnswered.Answer.COMPLETE), ghost);
  }

  @Test
  void confirmedOnesMustBeThere() {
    GuardedPreset preset = preset(false);
    assertBreach(
        "the wallet lacks",
        () -> end(preset, heard(MempoolAnswered.Answer.SKIPPED), with(List.of())));
  }

  @Test
  void completeToABlockOfTheChainOnDisk() {
    ClientChain chain = new ClientChain(scenery.economy);
    int height = scenery.economy.chain.height();
    Hash256 lower = scenery.economy.chain.blockAt(height - 1).hash();
    GuardedPreset preset = preset(false);
    assertThat(preset.mayClaim(new SyncFact.Complete(height, right.tip()), right.tip(), chain))
        .isTrue();
    assertThat(preset.mayClaim(new SyncFact.Complete(height - 1, lower), right.tip(), chain))
        .isTrue();
    assertThat(preset.mayClaim(new SyncFact.Complete(height, lower), right.tip(), chain)).isFalse();
    assertThat(preset.mayClaim(new SyncFact.Complete(height + 1, lower), right.tip(), chain))
        .isFalse();
    assertThat(preset.mayClaim(new SyncFact.Complete(height, right.tip()), lower, chain)).isFalse();
  }

  @Test
  void clientThatFollowsCoversItsEpochAndOneThatDoesNotCoversAll() {
    GuardedPreset preset =
        new GuardedPreset(
            new Guarding(990, SizeClass.THRIFTY, Duration.ZERO, 0, false, 0),
            scenery.economy,
            false);
    assertThat(preset.mustCover(true)).isEqualTo(10);
    assertThat(preset.mustCover(false)).isEqualTo(CoverageClaims.EVERYTHING);
    assertThat(preset.mayStayInCalm()).isFalse();
  }
}
