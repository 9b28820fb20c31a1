package org.murmur.wallet.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.Services;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;
import org.murmur.wallet.sync.WalletWarning;

/** A report must not say what is over. */
final class WarningListTest {

  private static final Duration HOURS = Duration.ofHours(7);
  private static final SyncEvent.Warning NOBODY =
      new SyncWarning.NobodyReachable("A: refused", false);
  private static final SyncEvent.Warning STOPPED =
      new SyncWarning.NoNewBlock(77, Instant.EPOCH, HOURS);
  private static final SyncEvent.Warning FEW = new WalletWarning.TooFewPeers(3, 1, Map.of(), false);
  private static final SyncEvent.Warning CLOCK =
      new SyncWarning.ClockBehind(77, Hash256.ZERO, HOURS);

  private final WarningList warnings = new WarningList();

  private void complete(int height) {
    warnings.heard(new SyncFact.Complete(height, Hash256.ZERO));
  }

  @Test
  void aNodeThatCanSayWhatIsPendingIsNoLongerSilent() {
    NodeAddress node = new NodeAddress("node.example", 8333);
    SyncEvent.Warning silent = new WalletWarning.PoolNodeSilent(node, "no answer");
    warnings.add(silent);
    warnings.heard(new SyncEvent.PeerReady(node, "", Services.COMPACT_FILTERS, 7, false));
    assertThat(warnings.all()).containsExactly(silent);
    warnings.heard(new SyncEvent.PeerReady(node, "", Services.BLOOM, 7, false));
    assertThat(warnings.all()).isEmpty();
  }

  @Test
  void aPeerEndsAnOutage() {
    List.of(NOBODY, STOPPED, FEW).forEach(warnings::add);
    warnings.heard(new SyncEvent.PeerReady(new NodeAddress("10.0.0.1", 1), "", 0, 77, false));
    assertThat(warnings.all()).containsExactly(STOPPED, FEW);
    warnings.add(NOBODY);
    assertThat(warnings.all()).containsExactly(STOPPED, FEW, NOBODY);
  }

  @Test
  void aTipWithEverythingEndsWhatStoodInItsWay() {
    List.of(STOPPED, FEW, NOBODY, CLOCK).forEach(warnings::add);
    complete(77);
    assertThat(warnings.all()).containsExactly(STOPPED, NOBODY);
    complete(78);
    assertThat(warnings.all()).containsExactly(NOBODY);
  }

  @Test
  void aPeerThatRelaysLessOrHasThePaymentEndsTheWarningOfItsFee() {
    NodeAddress peer = new NodeAddress("10.0.0.1", 1);
    Hash256 other = Hash256.ofDisplay("ab".repeat(32));
    FeeRate paid = FeeRate.satPerKvb(200);
    WalletWarning first = new WalletWarning.FeeBelowFilter(Hash256.ZERO, paid, FeeRate.DUST);
    WalletWarning second = new WalletWarning.FeeBelowFilter(other, paid, FeeRate.DUST);
    List.of(first, second).forEach(warnings::add);
    warnings.heard(new SyncFact.LeastFeeRate(peer, 201));
    assertThat(warnings.all()).containsExactly(first, second);
    warnings.heard(new SyncEvent.PeerReaction(other, peer, SyncEvent.PeerReaction.Kind.ACCEPTED));
    assertThat(warnings.all()).containsExactly(first);
    warnings.heard(new SyncFact.LeastFeeRate(peer, 200));
    assertThat(warnings.all()).isEmpty();
  }

  /** A peer that comes again and again with other claims takes the place of one warning. */
  @Test
  void ofAPeersBrokenClaimsTheLastIsKept() {
    NodeAddress peer = new NodeAddress("10.0.0.1", 1);
    for (int claimed = 100; claimed < 1_000; claimed++) {
      warnings.add(claim(peer, claimed));
    }
    warnings.add(NOBODY);
    assertThat(warnings.all()).containsExactly(claim(peer, 999), NOBODY);
  }

  /** Peers without number leave a bounded number of warnings. */
  @Test
  void thatSomeAreLeftOutIsSaid() {
    for (int port = 1; port <= 1_000; port++) {
      warnings.add(claim(new NodeAddress("10.0.0.1", port), 100));
    }
    assertThat(warnings.all())
        .hasSize(WarningList.MOST + 1)
        .endsWith(new WalletWarning.FurtherLeftOut());
  }

  private static SyncEvent.Warning claim(NodeAddress peer, int claimed) {
    return new SyncWarning.ClaimNotKept(peer, claimed, 7);
  }
}
