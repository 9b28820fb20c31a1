package org.murmur.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.words.Failures;

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
  private final Target target;

  TextStream(OutputStream to, Charset charset) {
    this(new Target(to), charset);
  }

  private TextStream(Target target, Charset charset) {
    super(target, true, charset);
    this.target = target;
    encoder = charset.newEncoder();
  }

  /**
   * A stream of the process, whose own PrintStream does not say what failed. A system property has
   * its charset, for example {@code stdout.encoding}.
   */
  static TextStream ofProcess(FileDescriptor to, String property) {
    // The property is of JDK 19 and later.
    String name = System.getProperty(property, System.getProperty("native.encoding", "UTF-8"));
    return new TextStream(
        new BufferedOutputStream(new FileOutputStream(to)),
        Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8);
  }

  /** The first failure; empty if there is none. A PrintStream knows only whether there was one. */
  Optional<String> failure() {
    return Optional.ofNullable(target.failure).map(Failures::reason);
  }

  /** Remembers the first failure. */
  private static final class Target extends FilterOutputStream {

    private volatile @Nullable IOException failure;

    Target(OutputStream to) {
      super(to);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException e) {
        failure = failure == null ? e : failure;
        throw e;
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        out.flush();
      } catch (IOException e) {
        failure = failure == null ? e : failure;
        throw e;
      }
    }
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
