package org.murmur.cli.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.murmur.wallet.ledger.TxStatus;

/** The text about a payment that no longer counts. */
class FateTest {

  private static String missing(Duration age) {
    return HistoryCommand.fate(
        TxStatus.MISSING, true, Optional.empty(), Optional.empty(), Instant.now().minus(age));
  }

  @Test
  void transactionsThatNodesHaveDroppedAreNotReportedAsRequested() {
    assertThat(missing(Duration.ofHours(335))).contains("the peers do not have it");
    assertThat(missing(Duration.ofHours(337)))
        .contains("336 hours")
        .doesNotContain("the peers do not have it");
  }
}
