package org.murmur.cli.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs scripts with bash in an empty folder, which has {@code murmur} and the project's {@code
 * tools}. The commands run in one other process ({@link MurmurServer}).
 */
final class PageShell implements AutoCloseable {

  /** There is no assertion about time: this ends a script that would wait for ever. */
  private static final long PATIENCE_SECONDS = 120;

  private final Path folder;
  private final Path work;
  private final Process server;
  private final String port;

  /**
   * Starts the process that runs commands.
   *
   * @param folder an empty folder
   */
  PageShell(Path folder) throws IOException {
    this.folder = folder.toRealPath();
    this.work = Files.createDirectories(this.folder.resolve("work"));
    this.server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                MurmurServer.class.getName())
            .directory(work.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    this.port =
        new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
  }

  /**
   * What a script did.
   *
   * @param code the exit code of bash
   * @param printed what the script printed, stdout and stderr
   * @param calls the commands, in the order of their starts
   * @param left what it left in the folder for temporary files
   */
  record Result(int code, String printed, List<MurmurServer.Call> calls, List<Path> left) {}

  /** Runs a script. */
  Result run(String script, Map<String, String> environment)
      throws IOException, InterruptedException {
    empty();
    Path calls = Files.createDirectories(folder.resolve("calls"));
    Path temporary = Files.createDirectories(folder.resolve("temporary"));
    Path stub = Files.writeString(work.resolve("murmur"), MurmurServer.STUB);
    assertThat(stub.toFile().setExecutable(true)).isTrue();
    Files.createSymbolicLink(work.resolve("tools"), Path.of("../tools").toRealPath());
    Path text = Files.writeString(folder.resolve("script"), script);
    Path printed = folder.resolve("printed");
    ProcessBuilder bash =
        new ProcessBuilder("bash", text.toString())
            .directory(work.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    Map<String, String> variables = bash.environment();
    variables.put("PATH", work + ":" + variables.get("PATH"));
    variables.put("HOME", folder.toString());
    variables.put("TMPDIR", temporary.toString());
    variables.put("MURMUR_NETWORK", "regtest");
    variables.put("MURMUR_DATADIR", folder.resolve("wallets").toString());
    variables.put("CALLS_FOLDER", calls.toString());
    variables.put("CALLS_PORT", port);
    variables.putAll(environment);
    Process process = bash.start();
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .as("ends; printed so far: %s", Files.readString(printed))
          .isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    List<MurmurServer.Call> ran = new ArrayList<>();
    try (Stream<Path> all = Files.list(calls)) {
      for (Path call : all.sorted().toList()) {
        ran.add(MurmurServer.Call.of(call));
      }
    }
    try (Stream<Path> left = Files.list(temporary)) {
      return new Result(process.exitValue(), Files.readString(printed), ran, left.toList());
    }
  }

  /** Removes what the last script left, but for the folders in which processes are. */
  private void empty() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(folder) && !file.equals(work)) {
          Files.delete(file);
        }
      }
    }
  }

  @Override
  public void close() {
    server.destroy();
  }
}
