package org.murmur.wallet.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.wallet.sync.WalletWarning;

/** The warnings at the end of a report. */
final class FinalWarningsTest {

  @ParameterizedTest
  @CsvSource({
    "testnet4, 86399, false",
    "testnet4, 86401, true",
    "signet, 172800, true",
    "testnet3, 8640000, true",
    "regtest, 8640000, false"
  })
  void anOldTipIsWarnedOf(String network, long age, boolean warned) {
    Instant now = Instant.ofEpochSecond(1_800_000_000);
    Instant time = now.minusSeconds(age);
    WalletWarning expected = new WalletWarning.OldTip(7, time, Duration.ofSeconds(age));
    assertThat(FinalWarnings.oldTip(ChainParams.ofName(network), 7, time, now))
        .isEqualTo(warned ? Optional.of(expected) : Optional.empty());
  }
}
