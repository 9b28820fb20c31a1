package org.murmur.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.murmur.wallet.failure.WalletException;

/**
 * A damaged wallet file on disk, in memory where the platform allows. Input that begins with a 0 is
 * a row of patches to the real file {@code wallet.murmur} (three bytes where, one how many, then
 * the bytes; a length of 255 cuts the file there); any other is the file itself. Facts read from
 * the patched file are those of the undamaged one, or it is refused.
 */
final class DamagedWallet implements AutoCloseable {

  private static final int PATCH_HEADER = 4;
  private static final int CUT = 255;

  private static final byte[] REAL = real("/wallet.murmur");
  private static final Path FOLDER = folder();

  private static byte[] real(String name) {
    try (InputStream in = Objects.requireNonNull(DamagedWallet.class.getResourceAsStream(name))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder() {
    Path memory = Path.of("/dev/shm");
    try {
      return Files.isWritable(memory)
          ? Files.createTempDirectory(memory, "murmur-fuzz")
          : Files.createTempDirectory("murmur-fuzz");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final Path file = FOLDER.resolve("w");
  private final boolean intact;
  private final boolean patched;
  private final Map<String, String> truth;

  /**
   * Writes the file.
   *
   * @param input at least one byte
   */
  DamagedWallet(byte[] input) throws IOException {
    this(input, Map.of());
  }

  /**
   * Writes the file, of which something is known.
   *
   * @param input at least one byte
   * @param truth what the undamaged file tells, by question
   */
  DamagedWallet(byte[] input, Map<String, String> truth) throws IOException {
    this.truth = truth;
    this.patched = input[0] == 0;
    byte[] bytes = patched ? patched(REAL, input) : Arrays.copyOfRange(input, 1, input.length);
    intact = Arrays.equals(bytes, REAL);
    Files.write(file, bytes);
  }

  /** Whether it is the real file after all. */
  boolean intact() {
    return intact;
  }

  Path file() {
    return file;
  }

  /** Something that may be refused. */
  interface Reading {
    @Nullable Object read();
  }

  /** Reads, or is refused with words. What is read of the patched file must be true. */
  void tryRead(String question, Reading reading) {
    try {
      String answer = String.valueOf(reading.read());
      String expected = truth.get(question);
      Check.that(
          !patched || expected == null || answer.equals(expected),
          question + " of a damaged file is " + answer + ", and not " + expected);
    } catch (WalletException e) {
      Check.that(!intact, "the wallet as it was is refused: " + e.getMessage());
      checkWords(e);
    }
  }

  /** Claims that a refusal has words, and names the file where that is what is wrong. */
  void checkWords(Exception refusal) {
    Check.that(refusal.getMessage() != null, "a refusal without a word");
    String message = String.valueOf(refusal.getMessage());
    Check.that(
        !(refusal instanceof WalletException wallet)
            || wallet.kind() != WalletException.Kind.CORRUPT
            || wallet.text().contains(file.toString()),
        "damage without the name of the file: " + message);
  }

  private static byte[] patched(byte[] real, byte[] patches) {
    byte[] file = real.clone();
    int at = 1;
    while (at + PATCH_HEADER <= patches.length) {
      int place =
          ((patches[at] & 0xff) << 16 | (patches[at + 1] & 0xff) << 8 | (patches[at + 2] & 0xff))
              % file.length;
      int length = patches[at + 3] & 0xff;
      at += PATCH_HEADER;
      if (length == CUT) {
        return Arrays.copyOf(file, place);
      }
      length = Math.min(length, Math.min(patches.length - at, file.length - place));
      System.arraycopy(patches, at, file, place, length);
      at += length;
    }
    return file;
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.list(FOLDER)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
