package org.murmur.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a terminal shows: lines stay whole, and the status line is below them. */
class StatusLineTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);

  /** What is on the screen: a carriage return and "erase to the end of the line" empty a line. */
  private String screen() {
    return printed.toString(StandardCharsets.UTF_8).replaceAll("[^\n]*\r\u001b\\[K", "");
  }

  @Test
  void linesArePrintedAboveIt() {
    StatusLine status = new StatusLine(stream, true);
    status.show("1 of 3");
    status.above(() -> stream.println("a line"));
    status.show("2 of 3");
    assertThat(screen()).isEqualTo("a line\n2 of 3");
    status.show("");
    status.above(() -> stream.println("another"));
    assertThat(screen()).isEqualTo("a line\nanother\n");
  }

  @Test
  void aLongOneIsCutSoThatItIsNotWrapped() {
    new StatusLine(stream, true).show("x".repeat(200));
    assertThat(screen()).hasSizeLessThan(80);
  }

  @Test
  void elsewhereOnlyTheLinesArePrinted() {
    StatusLine status = new StatusLine(stream, false);
    status.show("1 of 3");
    status.above(() -> stream.println("a line"));
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo("a line\n");
  }
}
