package org.murmur.cli.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.murmur.p2p.sync.SyncEvent;

/** The text of the status line: what is being done, how fast now, and whether anything comes. */
class ProgressOnTerminalTest {

  private static SyncEvent.Progress at(int headers, int scanned, int toScan, int seconds) {
    return new SyncEvent.Progress(
        headers, 10_000, scanned, toScan, 2_500_000, Duration.ofSeconds(seconds), Optional.empty());
  }

  @Test
  void theRateIsThatOfTheLastSeconds() {
    // 1,000 blocks in the first ten seconds, 1,000 in the two seconds since.
    String text =
        ProgressOnTerminal.text(
            at(10_000, 1_000, 9_000, 10), at(10_000, 2_000, 8_000, 12), Duration.ZERO);
    assertThat(text)
        .isEqualTo("blocks [####----------------] 2,000/10,000, 2.5 MB, 500/s, 16 s left");
  }

  @Test
  void headersComeFirst() {
    String text =
        ProgressOnTerminal.text(at(2_000, 0, 2_000, 1), at(4_000, 0, 4_000, 2), Duration.ZERO);
    assertThat(text).startsWith("headers [########------------] 4,000/10,000").contains("2,000/s");
  }

  @Test
  void silenceIsSaidWithinTwoSeconds() {
    SyncEvent.Progress now = at(10_000, 2_000, 8_000, 12);
    assertThat(ProgressOnTerminal.text(now, now, Duration.ofSeconds(1))).doesNotContain("nothing");
    assertThat(ProgressOnTerminal.text(now, now, Duration.ofSeconds(2)))
        .endsWith("nothing for 2 s");
  }

  /** In the first minute there may be nobody to scan blocks from, and it must not look hung. */
  @Test
  void aSearchSaysWhoIsMissing() {
    SyncEvent.Progress now =
        new SyncEvent.Progress(
            106,
            106,
            0,
            6,
            12_000,
            Duration.ofSeconds(31),
            Optional.of(new SyncEvent.Search("NODE_BLOOM", 0, 1, 17, 2)));
    String text =
        "looking for peers with NODE_BLOOM: 0 of 1 found; 17 nodes answered,"
            + " 2 with NODE_COMPACT_FILTERS; 31 s";
    assertThat(ProgressOnTerminal.text(now, now, Duration.ofSeconds(9))).isEqualTo(text);
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    new Progress.Lines(new PrintStream(lines, true, UTF_8)).update(now);
    assertThat(lines.toString(UTF_8)).isEqualTo(text + System.lineSeparator());
  }

  @Test
  void withoutARateNoTimeIsPromised() {
    SyncEvent.Progress now = at(10_000, 0, 8_000, 0);
    assertThat(ProgressOnTerminal.text(now, now, Duration.ZERO)).doesNotContain("left");
  }
}
