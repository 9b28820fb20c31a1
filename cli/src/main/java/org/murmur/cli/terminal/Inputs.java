package org.murmur.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.Hex;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;

/** Arguments that contain bytes: hex, {@code -} for stdin, files. */
public final class Inputs {

  /** Upper bound for any input: a block of 4,000,000 weight units as hex, with a margin. */
  private static final int LIMIT = 20_000_000;

  private Inputs() {}

  /**
   * Reads hex on the command line.
   *
   * @param what the meaning of the argument, for messages
   * @param text the argument
   * @return the bytes
   */
  public static Bytes hex(String what, String text) {
    try {
      return Bytes.wrap(Hex.parse(text.strip()));
    } catch (IllegalArgumentException e) {
      throw Failure.usage(what + " is not hex: " + e.getMessage());
    }
  }

  /**
   * Reads hex on the command line, or on stdin if the argument is {@code -}.
   *
   * @param what the meaning of the argument, for messages
   * @param argument the argument
   * @param surroundings the source of stdin
   * @return the bytes
   */
  public static Bytes hexOrStdin(String what, String argument, Surroundings surroundings) {
    if (!argument.equals("-")) {
      return hex(what, argument);
    }
    return hex(what + " on stdin", new String(stdin(surroundings), StandardCharsets.UTF_8));
  }

  /**
   * Reads a txid or block hash in the byte order of explorers.
   *
   * @param what the meaning of the argument, for messages
   * @param text the argument
   * @return the hash
   */
  public static Hash256 hash(String what, String text) {
    try {
      return Hash256.ofDisplay(text);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(what + ": " + e.getMessage());
    }
  }

  /**
   * Reads an outpoint.
   *
   * @param what the meaning of the argument, for messages
   * @param text {@code txid:index}, the txid in the byte order of explorers
   * @return the outpoint
   */
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
   * Reads a file, or stdin for {@code -}: binary, or hex, which is decoded.
   *
   * @param what the meaning of the argument, for messages
   * @param name the file
   * @param surroundings the source of stdin
   * @return the bytes
   */
  public static Bytes binaryOrHexFile(String what, String name, Surroundings surroundings) {
    byte[] raw = name.equals("-") ? stdin(surroundings) : file(what, name);
    return isHex(raw) ? hex(what, new String(raw, StandardCharsets.US_ASCII)) : Bytes.wrap(raw);
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

  /**
   * Reads the text of a file, or of stdin for {@code -}.
   *
   * @param what the meaning of the argument, for messages
   * @param name the file
   * @param surroundings the source of stdin
   * @return the text without surrounding white space
   */
  public static String text(String what, String name, Surroundings surroundings) {
    byte[] raw = name.equals("-") ? stdin(surroundings) : file(what, name);
    return new String(raw, StandardCharsets.UTF_8);
  }

  /**
   * Reads the lines of a file, or of stdin for {@code -}. Other than {@link #text} it accepts no
   * wrong UTF-8: a user's text would be changed.
   *
   * @param what the meaning of the argument, for messages
   * @param name the file
   * @param surroundings the source of stdin
   * @return the lines without their ends
   */
  public static List<String> lines(String what, String name, Surroundings surroundings) {
    byte[] raw = name.equals("-") ? stdin(surroundings) : file(what, name);
    return strict(what + ": " + name, raw).lines().toList();
  }

  /**
   * Reads a text on the command line, or on stdin if the argument is {@code -}, without the line
   * end at the end of stdin. It accepts no wrong UTF-8.
   *
   * @param what the meaning of the argument, for messages
   * @param argument the argument
   * @param surroundings the source of stdin
   * @return the text, with all other white space
   */
  public static String textOrStdin(String what, String argument, Surroundings surroundings) {
    if (!argument.equals("-")) {
      return argument;
    }
    return withoutNewline(strict(what + " on stdin", stdin(surroundings)));
  }

  private static String strict(String what, byte[] raw) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
    } catch (CharacterCodingException e) {
      throw new Failure(ExitCode.FAILED, "malformed", what + " is not text in UTF-8", e);
    }
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

  private static byte[] file(String what, String name) {
    try (InputStream in = Files.newInputStream(Path.of(name))) {
      return bounded(what, in);
    } catch (NoSuchFileException e) {
      throw Failure.failed("no_such_file", what + ": no such file: " + name);
    } catch (IOException | java.nio.file.InvalidPathException e) {
      throw new Failure(
          ExitCode.FAILED,
          "unreadable",
          what + ": cannot read " + name + ": " + Failures.message(e),
          e);
    }
  }

  private static byte[] stdin(Surroundings surroundings) {
    try {
      return bounded("stdin", surroundings.stdin());
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "unreadable", "cannot read stdin: " + e.getMessage(), e);
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
