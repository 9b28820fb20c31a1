package org.murmur.testbed.browser;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.murmur.testbed.program.Program;

/**
 * A real browser without a screen. Found by {@code tools/browser}; if there is none a test that
 * needs it fails with a message on what to do, it is never skipped.
 */
public final class Browser {

  private static final Program PROGRAM =
      new Program("MURMUR_BROWSER", "tools/browser", "a real browser");

  /** How long a page may compute before it is read, in its own, virtual time. */
  private static final String BUDGET_MS = "10000";

  /**
   * The document of a page after its scripts have run, as HTML, and its console output, errors of
   * scripts and of loading included.
   */
  public record Page(String document, List<String> console) {
    public Page {
      console = List.copyOf(console);
    }
  }

  private Browser() {}

  /** Opens a file, as {@link #open(Path, Path, List)} does without options. */
  public static Page open(Path file, Path folder) throws IOException, InterruptedException {
    return open(file, folder, List.of());
  }

  /**
   * Opens a file with further arguments, such as the size of the window, and returns the page after
   * it has come to rest. The browser may put its own things into the folder. Throws {@link
   * IllegalStateException} if there is no browser, or it fails.
   */
  public static Page open(Path file, Path folder, List<String> options)
      throws IOException, InterruptedException {
    Path document = Files.createTempFile(folder, "document", ".html");
    Path log = Files.createTempFile(folder, "browser", ".log");
    List<String> command =
        new ArrayList<>(
            List.of(
                PROGRAM.find().toString(),
                "--headless",
                // The page is the project's own; a sandbox wants rights that few build machines
                // give.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + folder.resolve("profile"),
                "--enable-logging=stderr",
                "--v=0",
                "--virtual-time-budget=" + BUDGET_MS));
    command.addAll(options);
    command.addAll(List.of("--dump-dom", file.toUri().toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(document.toFile())
            .redirectError(log.toFile())
            .start();
    process.getOutputStream().close();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IllegalStateException("the browser did not end: " + Files.readString(log));
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException("the browser failed: " + Files.readString(log));
    }
    List<String> console = new ArrayList<>();
    for (String line : Files.readAllLines(log, StandardCharsets.UTF_8)) {
      int at = line.indexOf(":CONSOLE");
      if (at >= 0) {
        console.add(line.substring(line.indexOf(']', at) + 1).strip());
      }
    }
    return new Page(Files.readString(document), console);
  }
}
