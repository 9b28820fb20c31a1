package org.murmur.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.cli.PrintedQr;

class QrTextTest {

  private static final String ADDRESS = "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4";

  /** A printer of a locale without half blocks. */
  private static List<String> printed(String text, boolean colours) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    QrText.print(new PrintStream(out, true, StandardCharsets.US_ASCII), text, colours);
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void aCodeHasItsQuietZoneAndIsReadBack() {
    List<String> lines = printed(ADDRESS, false);
    assertThat(PrintedQr.read(lines)).isEqualTo(ADDRESS);
    int width = 29 + 2 * QrText.QUIET_ZONE;
    assertThat(lines).hasSize((width + 1) / 2).allMatch(line -> line.length() == width);
    assertThat(lines.subList(0, 2)).allMatch(String::isBlank);
    assertThat(lines.subList(lines.size() - 2, lines.size())).allMatch(String::isBlank);
    assertThat(lines).allMatch(line -> line.startsWith("    ") && line.endsWith("    "));
  }

  @Test
  void aTerminalGetsBlackOnWhiteInEachLine() {
    List<String> lines = printed(ADDRESS, true);
    assertThat(lines).allMatch(line -> line.startsWith("\u001b[38;5;16;48;5;231m"));
    assertThat(lines).allMatch(line -> line.endsWith("\u001b[0m"));
    assertThat(PrintedQr.read(lines)).isEqualTo(ADDRESS);
  }

  @Test
  void lowerCaseIsKept() {
    String uri = "bitcoin:mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn?label=The%20shop";
    assertThat(PrintedQr.read(printed(uri, false))).isEqualTo(uri);
  }
}
