package org.murmur.wallet.internal.disclosure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.chain.ChainBase;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.Checkpoints;

/** The estimated height of a chain. */
final class HeightEstimateTest {

  private static final Instant NOW = Instant.parse("2026-07-01T00:00:00Z");

  /** As long after the wallet's tip as it was from one base to the next, so many blocks more. */
  @Test
  void goesOnFromTheTipOfAWalletThatKnowsMore() {
    List<ChainBase> bases = Checkpoints.of(ChainParams.MAINNET).bases();
    ChainBase last = bases.get(bases.size() - 1);
    ChainBase before = bases.get(bases.size() - 2);
    int tip = Checkpoints.of(ChainParams.MAINNET).lastHeight() + 1_000;
    HeightEstimate estimate = HeightEstimate.of(ChainParams.MAINNET, tip, NOW.getEpochSecond());
    assertThat(estimate.at(NOW)).isEqualTo(tip);
    assertThat(estimate.at(NOW.minusSeconds(1_000_000))).isEqualTo(tip);
    assertThat(estimate.at(NOW.plusSeconds(last.time() - before.time())))
        .isEqualTo(tip + last.height() - before.height());
  }
}
