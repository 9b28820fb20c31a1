package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end and measures it from outside. */
final class Launch {

  /** Far beyond the slowest contender on a loaded machine. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /**
   * The interval between reads of the peak memory and the processor time. They only grow: only
   * growth after the last read is missed.
   */
  private static final long LOOK_MILLIS = 5;

  /**
   * The result of a run.
   *
   * @param wallMillis the time from the start of the process to its end
   * @param cpuMillis its processor time, user and system, up to the last look
   * @param peakKib its peak resident memory (VmHWM), 0 if the system does not report it
   */
  record Ran(String output, long wallMillis, long cpuMillis, long peakKib) {

    /** The JSON that it printed, with {@code wall_ms}, {@code cpu_ms} and {@code peak_kib}. */
    ObjectNode report() throws IOException {
      return measured((ObjectNode) Bench.JSON.readTree(output));
    }

    ObjectNode measured(ObjectNode report) {
      return report.put("wall_ms", wallMillis).put("cpu_ms", cpuMillis).put("peak_kib", peakKib);
    }
  }

  private Launch() {}

  /** Runs a class of this class path in a new Java process. */
  static Ran java(List<String> options, Class<?> main, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add(main.getName());
    command.addAll(arguments);
    return run(command, Map.of("CLASSPATH", System.getProperty("java.class.path")));
  }

  static Ran run(List<String> command, Map<String, String> environment) throws IOException {
    Path out = Files.createTempFile("murmur-bench", ".out");
    Path err = Files.createTempFile("murmur-bench", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().putAll(environment);
      long start = System.nanoTime();
      Process process = builder.start();
      Used used = watch(process, start);
      long wall = (System.nanoTime() - start) / 1_000_000;
      int code = process.exitValue();
      String output = Files.readString(out, StandardCharsets.UTF_8);
      if (code != 0) {
        String errors = Files.readString(err, StandardCharsets.UTF_8);
        throw new IOException(
            Bench.text("exit code %d of %s\n%s%s", code, command, output, errors));
      }
      return new Ran(output, wall, used.cpuMillis(), used.peakKib());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }

  private record Used(long cpuMillis, long peakKib) {}

  private static Used watch(Process process, long start) throws InterruptedException, IOException {
    Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
    long peak = 0;
    long cpu = 0;
    while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      peak = Math.max(peak, peak(status));
      cpu = process.info().totalCpuDuration().map(Duration::toMillis).orElse(cpu);
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        process.destroyForcibly();
        throw new IOException("not done in " + LIMIT + ": " + process.info());
      }
    }
    return new Used(cpu, peak);
  }

  private static long peak(Path status) {
    try {
      for (String line : Files.readAllLines(status, StandardCharsets.US_ASCII)) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (IOException | NumberFormatException e) {
      // No such file: another system, or the process has just ended.
      return 0;
    }
    return 0;
  }
}
