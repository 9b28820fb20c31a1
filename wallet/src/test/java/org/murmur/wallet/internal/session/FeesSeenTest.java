package org.murmur.wallet.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncFact;

/** What peers say that they relay (BIP-0133). */
final class FeesSeenTest {

  /** What Core says while it downloads blocks. */
  private static final long NOTHING = 9_170_997;

  private static final NodeAddress ONE = NodeAddress.parse("127.0.0.1:1", 1);
  private static final NodeAddress TWO = NodeAddress.parse("127.0.0.1:2", 1);

  private final FeesSeen fees = new FeesSeen(ChainParams.REGTEST);

  private void says(NodeAddress peer, long satPerKvb) {
    fees.heard(new SyncFact.LeastFeeRate(peer, satPerKvb));
  }

  @Test
  void aNodeThatDownloadsSaysNothingAboutFees() {
    says(ONE, NOTHING);
    assertThat(fees.least()).isEmpty();
    assertThat(fees.isTaken(List.of(ONE))).isFalse();
    assertThat(fees.isTaken(List.of(ONE, TWO))).isTrue();
    says(TWO, 1_000);
    assertThat(fees.least()).hasValue(1_000);
    assertThat(fees.least(List.of(ONE, TWO))).isEqualTo(FeeRate.satPerKvb(1_000));
  }

  @Test
  void aNodeThatHasDownloadedTakesPayments() {
    says(ONE, NOTHING);
    says(ONE, 2_000);
    assertThat(fees.isTaken(List.of(ONE))).isTrue();
    assertThat(fees.least()).hasValue(2_000);
  }

  /** It may relay anything. */
  @Test
  void aPeerThatSaysNothingSetsNoLeastRate() {
    says(ONE, 5_000);
    assertThat(fees.least(List.of(ONE, TWO))).isEqualTo(FeeRate.ZERO);
    assertThat(fees.least(List.of(ONE))).isEqualTo(FeeRate.satPerKvb(5_000));
  }

  /** Nothing proves what a peer says. */
  @Test
  void anyValueIsTaken() {
    says(ONE, -1);
    assertThat(fees.least(List.of(ONE))).isEqualTo(FeeRate.ZERO);
    says(ONE, Long.MAX_VALUE);
    assertThat(fees.isTaken(List.of(ONE))).isFalse();
  }
}
