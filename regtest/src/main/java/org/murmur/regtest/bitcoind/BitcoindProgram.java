package org.murmur.regtest.bitcoind;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@code bitcoind} of this machine. If there is none, it throws an exception that says
 * what to do. So a test that needs a node fails and is never skipped in silence.
 */
final class BitcoindProgram {

  /** Names the program as system property or environment variable. */
  static final String SETTING = "MURMUR_BITCOIND";

  private static final String SCRIPT = "tools/bitcoind";

  /** Fetching and unpacking takes seconds; a slow line gets a few minutes. */
  private static final long SCRIPT_MINUTES = 5;

  private static @Nullable Path known;

  private BitcoindProgram() {}

  /**
   * Finds it once per process.
   *
   * @return the path of an executable file
   * @throws IllegalStateException if there is none; the message says what to do
   */
  static synchronized Path find() {
    Path program = known;
    if (program == null) {
      program = search();
      known = program;
    }
    return program;
  }

  /** Finds it anew. */
  static Path search() {
    String named = System.getProperty(SETTING, System.getenv(SETTING));
    if (named != null && !named.isBlank()) {
      Path program = Path.of(named);
      if (!Files.isExecutable(program)) {
        throw missing(SETTING + "=" + named + " is not an executable file");
      }
      return program;
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isExecutable(at.resolve(SCRIPT))) {
        return run(at.resolve(SCRIPT));
      }
    }
    throw missing("no " + SCRIPT + " in the working directory or above it");
  }

  private static Path run(Path script) {
    try {
      Path errors = Files.createTempFile("murmur-bitcoind", ".err");
      try {
        Process process =
            new ProcessBuilder(script.toString()).redirectError(errors.toFile()).start();
        process.getOutputStream().close();
        String output =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(SCRIPT_MINUTES, TimeUnit.MINUTES)) {
          process.destroyForcibly();
          throw missing(script + " did not end");
        }
        if (process.exitValue() != 0 || output.isEmpty()) {
          throw missing(Files.readString(errors).strip());
        }
        return Path.of(output);
      } finally {
        Files.deleteIfExists(errors);
      }
    } catch (IOException e) {
      throw missing(script + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw missing("interrupted while " + script + " ran");
    }
  }

  private static IllegalStateException missing(String reason) {
    return new IllegalStateException(
        "This needs a real bitcoind, and there is none: "
            + reason
            + "\nSet "
            + SETTING
            + " to the path of a bitcoind that knows -peerbloomfilters, or run "
            + SCRIPT
            + " to see why none could be fetched.");
  }
}
