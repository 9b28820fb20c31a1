package org.murmur.lab.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.murmur.lab.Plot;
import org.murmur.lab.Section;
import org.murmur.lab.Table;
import org.murmur.lab.Trial;

/** Spies among the peers, against the product of the chances to miss them one by one. */
class SybilTrialsTest {

  private final SybilTrials trials = new SybilTrials();
  private Table observed = Table.of("none", "", List.of()).build();

  @BeforeEach
  void observe() {
    Table.Builder rows = Table.of("sybil", "", trials.columns());
    trials.observe(new Trial("sybil", 1, 0), rows::row);
    observed = rows.build();
  }

  private double exposure(String client, int sessions) {
    return observed.rows().stream()
        .filter(row -> row.text("client").equals(client) && row.whole("sessions") == sessions)
        .findFirst()
        .orElseThrow()
        .number("exposure");
  }

  @ParameterizedTest
  @CsvSource({
    "'murmur-private, guard A', 1, true",
    "'murmur-private, all guards', 3, true",
    "murmur-fast, 4, true",
    "bitcoinj, 12, false",
    "bcoin, 8, false",
    "breadwallet, 3, false",
    "bitcoin-kit, 10, false"
  })
  void aClientThatChangesPeersMeetsNewOnesInEachSession(String client, int peers, boolean keeps) {
    for (int sessions : List.of(1, 3, 10, 30)) {
      double unseen = 1;
      for (int session = 0; session < (keeps ? 1 : sessions); session++) {
        for (int peer = 0; peer < peers; peer++) {
          // One crawler among 23 peers, rounded as Nick does.
          unseen *= 1 - 0.043;
        }
      }
      assertThat(exposure(client, sessions)).isCloseTo(1 - unseen, within(1e-12));
    }
  }

  @Test
  void knownChances() {
    assertThat(exposure("murmur-private, guard A", 30)).isCloseTo(0.043, within(1e-12));
    // 36 peers: 0.957 ^ 36 = 0.2055.
    assertThat(exposure("bitcoinj", 3)).isCloseTo(0.7945, within(1e-4));
  }

  @Test
  void theTableAndThePlotShowTheObservations() {
    Section section = trials.conclude(observed);
    assertThat(section.verdicts()).isEmpty();
    List<Table.Row> shown = section.tables().get(0).rows();
    Plot.Xy plot = (Plot.Xy) section.plots().get(0);
    List<Plot.Point> points = new ArrayList<>();
    plot.series().forEach(series -> points.addAll(series.points()));
    assertThat(shown).hasSameSizeAs(observed.rows());
    assertThat(points).hasSameSizeAs(observed.rows());
    for (int i = 0; i < shown.size(); i++) {
      Table.Row row = shown.get(i);
      double exposure = exposure(row.text("client"), (int) row.whole("sessions"));
      assertThat(row.number("exposure")).isEqualTo(exposure);
      assertThat(points.get(i)).isEqualTo(new Plot.Point(row.whole("sessions"), exposure));
      assertThat(row.flag("keeps_them")).isEqualTo(row.text("client").startsWith("murmur"));
    }
  }
}
