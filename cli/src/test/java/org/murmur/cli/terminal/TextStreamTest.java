package org.murmur.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.murmur.cli.Ran;

class TextStreamTest {

  private static String printed(Charset charset) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TextStream out = new TextStream(bytes, charset)) {
      out.println("[TXID\u2026] \u2192 caf\u00e9");
      out.printf(Locale.ROOT, "%s %d\n", "a\u2026", 1);
      out.print(new char[] {'b', '\n'});
      Output.exactly(out, "\"caf\u00e9\u2026\"\n");
    }
    return bytes.toString(charset).replace(System.lineSeparator(), "\n");
  }

  @Test
  void signsThatTheCharsetLacksAreAscii() {
    String utf8 = printed(StandardCharsets.UTF_8);
    assertThat(utf8)
        .isEqualTo("[TXID\u2026] \u2192 caf\u00e9\na\u2026 1\nb\n\"caf\u00e9\u2026\"\n");
    String latin = printed(StandardCharsets.ISO_8859_1);
    assertThat(latin).startsWith("[TXID...] -> caf\u00e9\na... 1\nb\n");
    assertThat(printed(StandardCharsets.US_ASCII)).startsWith("[TXID...] -> caf?\na... 1\nb\n");
    // JSON is UTF-8 everywhere.
    String json = latin.substring(latin.indexOf('"')).strip();
    assertThat(new String(json.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8))
        .isEqualTo("\"caf\u00e9\u2026\"");
  }

  @Test
  void theHelpIsTextToo() {
    assertThat(Ran.murmur("filter", "make", "--help").out()).contains("OUTPOINT\u2026]");
  }
}
