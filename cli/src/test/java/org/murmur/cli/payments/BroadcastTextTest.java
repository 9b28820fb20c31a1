package org.murmur.cli.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.payments.BroadcastText.Waited;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.Limits;
import org.murmur.wallet.sync.BroadcastReport;

/** What is said of a payment that no peer is known to have accepted. */
class BroadcastTextTest {

  private static final NodeAddress PEER = NodeAddress.parse("127.0.0.1:18444", 1);
  private static final Limits USUAL = Limits.USUAL;

  private static String text(Waited waited, List<NodeAddress> taken, String refusal) {
    BroadcastReport report =
        new BroadcastReport(
            Hash256.ZERO,
            taken,
            List.of(),
            List.of(),
            refusal.isEmpty() ? Map.of() : Map.of(PEER, refusal),
            Map.of(),
            Optional.empty(),
            Optional.empty());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BroadcastText.show(report, 1, waited, new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whereTimeRanOutNobodyRefused() {
    Waited waited = Waited.of(USUAL.time(Duration.ofSeconds(2)), false);
    assertThat(text(waited, List.of(), ""))
        .contains("The time of --timeout ran out", "may have it nevertheless")
        .doesNotContain("they do not accept it");
    assertThat(text(waited, List.of(PEER), "")).doesNotContain("may have refused it");
    assertThat(text(waited, List.of(), "too cheap")).contains("too cheap", "for the reason above");
    assertThat(text(Waited.of(USUAL, true), List.of(), "")).contains("It was interrupted");
  }

  @Test
  void afterTheUsualTimeACoinMayBeSpentElsewhere() {
    for (Limits limits : List.of(USUAL, USUAL.time(Duration.ofMinutes(2)))) {
      Waited waited = Waited.of(limits, false);
      assertThat(text(waited, List.of(), "")).contains("spent elsewhere; `murmur sync` finds");
      assertThat(text(waited, List.of(PEER), "")).contains("spent elsewhere; `murmur sync` finds");
      assertThat(text(waited, List.of(), "too cheap")).doesNotContain("elsewhere");
    }
  }
}
