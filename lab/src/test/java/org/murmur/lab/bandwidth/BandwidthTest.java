package org.murmur.lab.bandwidth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.Parameters;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Table;
import org.murmur.lab.Watcher;
import org.murmur.lab.probe.EmbeddedChain;
import org.murmur.regtest.chain.Chain;

class BandwidthTest {

  private static final Parameters SMALL = new Bandwidth().defaults(StudyKind.Size.SMALL);

  private static Section section() throws Exception {
    Study study = new Bandwidth().with(SMALL);
    return new StudyRun(study, Shard.WHOLE, 2, Watcher.NONE).run().conclude(study).get(0);
  }

  @Test
  void theFormulaPredictsTheBytesOnTheWire() throws Exception {
    Section section = section();
    assertThat(section.verdicts()).hasSize(5).allMatch(ClaimVerdict::holds);
    List<Table.Row> rows = section.tables().get(0).rows();
    assertThat(rows).hasSize(2);
    // A block without a match has 143 bytes; at 1e-4 hardly more.
    assertThat(rows.get(0).number("bytes_measured")).isBetween(143.0, 200.0);
    assertThat(rows.get(1).number("bytes_measured")).isGreaterThan(500);
    // The saving by filters: each block's own bytes and the 24 of the message's header.
    Chain chain = new EmbeddedChain(SMALL.seed(), 12, 100).chain();
    double whole = 0;
    for (int height = EmbeddedChain.EMPTY_BLOCKS + 1; height <= chain.height(); height++) {
      whole += (chain.blockAt(height).stripped().length() + 24) / 12.0;
    }
    assertThat(rows.get(0).number("whole_block")).isCloseTo(whole, within(1e-6));
    assertThat(rows.get(0).number("saves"))
        .isCloseTo(whole / rows.get(0).number("bytes_measured"), within(1e-6))
        .isGreaterThan(rows.get(1).number("saves"));
    assertThat(rows.get(0).number("per_month"))
        .isCloseTo(rows.get(0).number("bytes_measured") * 4383 / 1e6, withinPercentage(0.01));
  }

  /** Break-even at 2.9e-3 for 2500 transactions a block and 1.7e-3 for 4000, as computed before. */
  @Test
  void breaksEvenWithBip158WhereItWasComputed() throws Exception {
    List<Table.Row> rows = section().tables().get(1).rows();
    assertThat(rows.get(1).number("break_even_rate")).isCloseTo(2.9e-3, within(0.06e-3));
    assertThat(rows.get(2).number("break_even_rate")).isCloseTo(1.7e-3, within(0.06e-3));
  }

  /** 452 MB a year at 1e-3 and 2500 transactions, so 37.7 a month; 59 MB a year at 1e-4. */
  @Test
  void aBudgetBuysTheRateOfTheTable() {
    Parameters asked = SMALL.with("budgets", 452 / 12.0 + "," + 59 / 12.0);
    Study study = new Bandwidth().with(asked);
    Table none = Table.of("bytes", "", study.experiments().get(0).columns()).build();
    List<Table.Row> rows = study.experiments().get(0).conclude(none).tables().get(2).rows();
    assertThat(rows.get(0).number("rate")).isCloseTo(1e-3, withinPercentage(1));
    assertThat(rows.get(0).number("decoys")).isCloseTo(1.3e6, withinPercentage(1));
    assertThat(rows.get(2).number("rate")).isCloseTo(1e-4, withinPercentage(2));
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> new Bandwidth().with(SMALL.with("rates", "1e-3,7")))
        .hasMessageContaining("rates 7");
    assertThatThrownBy(() -> new Bandwidth().with(SMALL.with("blocks", 0)))
        .hasMessageContaining("blocks 0");
  }
}
