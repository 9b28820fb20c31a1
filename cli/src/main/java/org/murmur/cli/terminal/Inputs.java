package org.murmur.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.Hex;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;

/**
 * Texts and bytes from outside: arguments, files, and {@code -} for stdin. Nothing else reads a
 * file or stdin, or makes text of bytes. Text is UTF-8 whatever the locale says. A byte order mark
 * before it is dropped; UTF-16, other bytes that are no UTF-8, and U+FFFD, where a character was
 * lost before, are refused.
 */
public final class Inputs {

  /** Upper bound for any input: a block of 4,000,000 weight units as hex, with a margin. */
  private static final int LIMIT = 20_000_000;

  /** A file of a form that is named in an error is not larger. */
  private static final int GLANCE = 1_000_000;

  private static final byte[] BOM = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  private static final byte[] UTF16_LE = {(byte) 0xff, (byte) 0xfe};
  private static final byte[] UTF16_BE = {(byte) 0xfe, (byte) 0xff};

  private Inputs() {}

  /** Reads hex on the command line. */
  public static Bytes hex(String what, String text) {
    try {
      return Bytes.wrap(Hex.parse(text.strip()));
    } catch (IllegalArgumentException e) {
      throw Failure.usage(what + " is not hex: " + e.getMessage());
    }
  }

  /** Reads hex on the command line, or on stdin if the argument is {@code -}. */
  public static Bytes hexOrStdin(String what, String argument, Surroundings surroundings) {
    if (!argument.equals("-")) {
      return hex(what, argument);
    }
    return hex(what + " on stdin", text(what, "-", surroundings));
  }

  /** Reads a txid or block hash in the byte order of explorers. */
  public static Hash256 hash(String what, String text) {
    return Failure.checked(what, () -> Hash256.ofDisplay(text));
  }

  /** Reads an outpoint {@code txid:index}, the txid in the byte order of explorers. */
  public static OutPoint outPoint(String what, String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw Failure.usage(what + " '" + text + "', expected a txid, a colon and a number");
    }
    Hash256 txid = hash(what, text.substring(0, colon));
    try {
      return new OutPoint(txid, Integer.parseUnsignedInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw Failure.usage(what + " '" + text + "', expected a number after the colon");
    }
  }

  /**
   * Reads a file, or stdin for {@code -}: binary, or text, of which hex is decoded. Text loses its
   * byte order mark.
   */
  public static Bytes binaryOrHexFile(String what, String name, Surroundings surroundings) {
    byte[] raw = bytes(what, name, surroundings);
    if (!startsWith(raw, BOM) && !isUtf16(raw) && !isHex(raw)) {
      return Bytes.wrap(raw);
    }
    String text = decoded(source(what, name), raw);
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    return isHex(plain) ? hex(what, text) : Bytes.wrap(plain);
  }

  private static boolean isHex(byte[] raw) {
    int digits = 0;
    for (byte b : raw) {
      boolean space = b == '\n' || b == '\r' || b == ' ';
      if (!space && Character.digit(b, 16) < 0) {
        return false;
      }
      digits += space ? 0 : 1;
    }
    return digits > 0;
  }

  /** Reads the text of a file, or of stdin for {@code -}. */
  public static String text(String what, String name, Surroundings surroundings) {
    return decoded(source(what, name), bytes(what, name, surroundings));
  }

  public static String text(String what, Path file) {
    String name = file.toString();
    return decoded(source(what, name), file(what, name));
  }

  /**
   * Looks at bytes that were refused, to say what they may be. Never for what is done with them.
   */
  public static String glance(Bytes contents) {
    return new String(contents.toArray(), StandardCharsets.ISO_8859_1);
  }

  /**
   * Looks at a file that may have been refused, as {@link #glance(Bytes)}; empty if there is no
   * regular file of such a name, or a large one.
   */
  public static Optional<String> glance(String argument) {
    try {
      Path file = Path.of(argument);
      return Files.isRegularFile(file) && Files.size(file) < GLANCE
          ? Optional.of(glance(Bytes.wrap(Files.readAllBytes(file))))
          : Optional.empty();
    } catch (IOException | java.nio.file.InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static String source(String what, String name) {
    return name.equals("-") ? what + " on stdin" : what + ": " + name;
  }

  /**
   * Reads a text on the command line, or on stdin if the argument is {@code -}: then without the
   * line end at its end, and with all other white space.
   */
  public static String textOrStdin(String what, String argument, Surroundings surroundings) {
    return argument.equals("-") ? withoutNewline(text(what, "-", surroundings)) : argument;
  }

  private static String decoded(String what, byte[] raw) {
    int begin = startsWith(raw, BOM) ? BOM.length : 0;
    boolean marked = startsWith(raw, UTF16_LE) || startsWith(raw, UTF16_BE);
    if (isUtf16(raw) || (marked && raw.length % 2 == 0)) {
      throw notText(what, "it is UTF-16, as some editors write it; save it as UTF-8", null);
    }
    ByteBuffer bytes = ByteBuffer.wrap(raw, begin, raw.length - begin);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      fault(text)
          .ifPresent(
              wrong -> {
                throw notText(what, wrong, null);
              });
      return text;
    } catch (CharacterCodingException e) {
      // A byte of a secret is not shown.
      String wrong = "byte " + (bytes.position() + 1) + " is of no character";
      throw notText(what, wrong + ". If it is Latin-1 or the like, save it as UTF-8", e);
    }
  }

  private static Failure notText(String what, String wrong, @Nullable Exception cause) {
    return Failure.failed("malformed", what + " is not text in UTF-8: " + wrong, cause);
  }

  /** Returns what no text has, for an error; empty if the text is right. A secret is not shown. */
  static Optional<String> fault(CharSequence text) {
    for (int i = 0, line = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      line += c == '\n' ? 1 : 0;
      if (c == '\ufffd') {
        return Optional.of(
            "line "
                + line
                + " has U+FFFD, the mark of a character that was lost before (in a wrong character"
                + " set)");
      }
      if (c == '\0') {
        return Optional.of("line " + line + " has U+0000. If it is UTF-16, save it as UTF-8");
      }
    }
    return Optional.empty();
  }

  /** With a byte order mark, or with every other byte zero, which no other text is. */
  private static boolean isUtf16(byte[] raw) {
    if (raw.length < 2 || raw.length % 2 != 0) {
      return false;
    }
    int[] zeros = new int[2];
    for (int i = 0; i < raw.length; i++) {
      zeros[i % 2] += raw[i] == 0 ? 1 : 0;
    }
    int marks = startsWith(raw, UTF16_LE) || startsWith(raw, UTF16_BE) ? 1 : 0;
    return Math.max(zeros[0], zeros[1]) + marks >= raw.length / 2;
  }

  private static boolean startsWith(byte[] raw, byte[] mark) {
    return raw.length >= mark.length && Arrays.equals(Arrays.copyOf(raw, mark.length), mark);
  }

  /** Drops one line end at the end. */
  static String withoutNewline(String text) {
    int end = text.length();
    if (end > 0 && text.charAt(end - 1) == '\n') {
      end--;
    }
    if (end > 0 && text.charAt(end - 1) == '\r') {
      end--;
    }
    return text.substring(0, end);
  }

  private static byte[] bytes(String what, String name, Surroundings surroundings) {
    return name.equals("-") ? stdin(surroundings) : file(what, name);
  }

  private static byte[] file(String what, String name) {
    try (InputStream in = Files.newInputStream(Path.of(name))) {
      return bounded(what, in);
    } catch (NoSuchFileException e) {
      throw Failure.failed("no_such_file", what + ": no such file: " + name);
    } catch (IOException e) {
      throw unreadable(what, name, Failures.reason(e), e);
    } catch (InvalidPathException e) {
      throw unreadable(what, name, e.getReason(), e);
    }
  }

  private static Failure unreadable(String what, String name, String why, Exception cause) {
    String text = what + ": cannot read " + name + ": " + why;
    return Failure.failed("unreadable", text, cause);
  }

  private static byte[] stdin(Surroundings surroundings) {
    try {
      return bounded("stdin", surroundings.stdin());
    } catch (IOException e) {
      throw Failure.failed("unreadable", "cannot read stdin: " + e.getMessage(), e);
    }
  }

  private static byte[] bounded(String what, InputStream in) throws IOException {
    byte[] raw = in.readNBytes(LIMIT + 1);
    if (raw.length > LIMIT) {
      throw Failure.failed("too_large", what + " is larger than " + LIMIT + " bytes");
    }
    return raw;
  }
}
