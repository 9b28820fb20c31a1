package org.murmur.testbed.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real program of this machine, named by the user or found by a script of the project. If there
 * is none, looking for it throws an exception that says what to do. So a test that needs it fails
 * and is never skipped in silence. Thread-safe.
 */
public final class Program {

  /**
   * Starts a program so that it dies with the virtual machine, however that ends. A watcher waits
   * on the pipe that is the program's standard input: a line frees the watcher, the end of the pipe
   * says that the parent is gone.
   */
  private static final String GUARD =
      "exec 3<&0; { read -r line || kill -9 $$; } <&3 >/dev/null 2>&1 & exec \"$@\" </dev/null"
          + " 3<&-";

  /** A killed program gets this time to end. */
  private static final long END_SECONDS = 60;

  /** Fetching and unpacking takes seconds; a slow line gets a few minutes. */
  private static final long SCRIPT_MINUTES = 5;

  private final String setting;
  private final String script;
  private final String need;
  private @Nullable Path known;

  /**
   * Describes a program: the system property or environment variable that names its path, the
   * script below the working directory or a folder above it that prints the path, and which program
   * it is, for messages.
   */
  public Program(String setting, String script, String need) {
    this.setting = setting;
    this.script = script;
    this.need = need;
  }

  /**
   * Finds its executable file once. Throws {@link IllegalStateException} if there is none; the
   * message says what to do.
   */
  public synchronized Path find() {
    Path program = known;
    if (program == null) {
      program = search();
      known = program;
    }
    return program;
  }

  /**
   * Finds its executable file anew. Throws {@link IllegalStateException} if there is none; the
   * message says what to do.
   */
  public Path search() {
    String named = System.getProperty(setting, System.getenv(setting));
    if (named != null && !named.isBlank()) {
      Path program = Path.of(named);
      if (!Files.isExecutable(program)) {
        throw missing(setting + "=" + named + " is not an executable file");
      }
      return program;
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isExecutable(at.resolve(script))) {
        return run(at.resolve(script));
      }
    }
    throw missing("no " + script + " in the working directory or above it");
  }

  /** Starts a command that ends with this virtual machine at the latest; its output is the log. */
  public static Process start(List<String> command, Path log) throws IOException {
    List<String> guarded = new ArrayList<>(List.of("/bin/sh", "-c", GUARD, "sh"));
    guarded.addAll(command);
    return new ProcessBuilder(guarded)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Waits for its end for some milliseconds; returns whether it has ended. */
  public static boolean awaitEnd(Process running, long millis) {
    try {
      return running.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a program started or stopped", e);
    }
  }

  /** Kills it and what it has started, without waiting. */
  public static void signal(Process running) {
    running.descendants().forEach(ProcessHandle::destroyForcibly);
    running.destroyForcibly();
  }

  /** Kills it and what it has started, and waits until it is gone. */
  public static void kill(Process running) {
    signal(running);
    awaitEnd(running, TimeUnit.SECONDS.toMillis(END_SECONDS));
    release(running);
  }

  /** Frees the watcher of a program that has ended. */
  public static void release(Process ended) {
    try {
      ended.getOutputStream().close();
    } catch (IOException e) {
      // The pipe is closed already, as intended.
    }
  }

  private Path run(Path found) {
    try {
      Path errors = Files.createTempFile("murmur-program", ".err");
      try {
        Process process =
            new ProcessBuilder(found.toString()).redirectError(errors.toFile()).start();
        process.getOutputStream().close();
        String output =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(SCRIPT_MINUTES, TimeUnit.MINUTES)) {
          process.destroyForcibly();
          throw missing(found + " did not end");
        }
        if (process.exitValue() != 0 || output.isEmpty()) {
          throw missing(Files.readString(errors).strip());
        }
        return Path.of(output);
      } finally {
        Files.deleteIfExists(errors);
      }
    } catch (IOException e) {
      throw missing(found + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw missing("interrupted while " + found + " ran");
    }
  }

  private IllegalStateException missing(String reason) {
    return new IllegalStateException(
        "This needs "
            + need
            + ", and there is none: "
            + reason
            + "\nSet "
            + setting
            + " to the path of one, or run "
            + script
            + " to see why none could be fetched.");
  }
}
