package org.murmur.cli.terminal;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints texts in the charset of the locale, with ASCII in place of the signs that it lacks: three
 * dots instead of an ellipsis. Bytes, such as JSON in UTF-8, pass unchanged.
 */
final class TextStream extends PrintStream {

  /** The signs in texts of this program. Of labels, a charset prints what it has. */
  private static final Map<Character, String> ASCII =
      Map.of(
          '\u2026', "...", '\u2192', "->", '\u00b7', "*", '\u00d7', "x", '\u2013', "-", '\u00b2',
          "^2", '\u2264', "<=", '\u2265', ">=");

  private final CharsetEncoder encoder;

  /**
   * Makes a stream.
   *
   * @param to receives the bytes
   * @param charset the charset of the locale
   */
  TextStream(OutputStream to, Charset charset) {
    super(to, true, charset);
    encoder = charset.newEncoder();
  }

  /**
   * A stream of the process.
   *
   * @param to the stream
   * @param property the system property with its charset, for example {@code stdout.encoding}
   */
  static TextStream ofProcess(PrintStream to, String property) {
    // The property is of JDK 19 and later.
    String name = System.getProperty(property, System.getProperty("native.encoding", "UTF-8"));
    return new TextStream(
        to, Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8);
  }

  /** All others that print a text end here. */
  @Override
  public void print(@Nullable String text) {
    super.print(text == null ? "null" : encodable(text));
  }

  private synchronized String encodable(String text) {
    if (encoder.canEncode(text)) {
      return text;
    }
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char sign = text.charAt(i);
      @Nullable String ascii = encoder.canEncode(sign) ? null : ASCII.get(sign);
      plain.append(ascii == null ? String.valueOf(sign) : ascii);
    }
    return plain.toString();
  }
}
