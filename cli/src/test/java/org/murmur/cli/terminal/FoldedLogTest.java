package org.murmur.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A log of months must not fill a disk, and must not hide rare lines. */
class FoldedLogTest {

  private final List<String> written = new ArrayList<>();
  private long now = Long.MAX_VALUE - 3;
  private final FoldedLog log = new FoldedLog(written::add, () -> now);

  @Test
  void writesRareLines() {
    for (int hour = 0; hour < 100; hour++) {
      log.write("warning", "line " + hour);
      now += Duration.ofHours(1).toNanos();
    }
    log.close();
    assertThat(written).hasSize(100).contains("line 0", "line 99");
  }

  @Test
  void countsRepeatedLinesAndSumsThemUp() {
    for (int i = 1; i <= 1_000; i++) {
      log.write("peer lost", "a.example is gone, " + i);
    }
    log.write("warning", "something else");
    log.close();
    assertThat(written).hasSize(FoldedLog.LINES + 3);
    assertThat(written.get(FoldedLog.LINES - 1)).isEqualTo("a.example is gone, 20");
    assertThat(written.get(FoldedLog.LINES)).contains("peer lost", "counted");
    assertThat(written)
        .contains("something else", "[peer lost: 980 more, the last: a.example is gone, 1000]");
  }

  /**
   * A week in which every kind of line that there is comes every ten seconds: 22 lines of each an
   * hour, whatever happens. A session has thirteen kinds: peers there and gone, mempool, three of
   * broadcasts, complete, warnings, and notes of five topics.
   */
  @Test
  void aWeekOfEverythingIsBoundedByItsKinds() {
    int hours = 7 * 24;
    for (int i = 0; i < hours * 360; i++) {
      for (int kind = 0; kind < 13; kind++) {
        log.write("kind " + kind, "again");
      }
      now += Duration.ofSeconds(10).toNanos();
    }
    log.close();
    assertThat(written).hasSize(hours * 13 * (FoldedLog.LINES + 2));
  }

  @Test
  void aMonthOfOneLineASecondIsBounded() {
    int month = 30 * 24 * 3600;
    for (int second = 0; second < month; second++) {
      log.write("unconfirmed", "again");
      now += Duration.ofSeconds(1).toNanos();
    }
    log.close();
    assertThat(written.size()).isLessThanOrEqualTo(30 * 24 * (FoldedLog.LINES + 2) + 2);
  }
}
