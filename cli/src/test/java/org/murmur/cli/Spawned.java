package org.murmur.cli;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The command in a separate process: the real one, which can be killed. */
public final class Spawned implements AutoCloseable {

  /** There is no assertion about time: this ends a test that would wait for ever. */
  static final long PATIENCE_SECONDS = 120;

  private static final String END = "\u0000end";

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private final BlockingQueue<String> arriving = new LinkedBlockingQueue<>();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private final List<Thread> readers;

  private Spawned(Process process) {
    this.process = process;
    this.readers =
        List.of(
            reader("spawned-out", () -> readLines(process)),
            reader("spawned-err", () -> process.getErrorStream().transferTo(errors)));
  }

  /** Reads a stream to its end. */
  private interface Reading {
    void run() throws IOException;
  }

  /** The start of the process's command line. */
  public static final class With {

    private final List<String> around = new ArrayList<>();
    private final List<String> globals = new ArrayList<>();
    private Class<?> program = Murmur.class;

    /** Runs another program of this class path instead, without options before its arguments. */
    public With main(Class<?> other) {
      program = other;
      globals.clear();
      return this;
    }

    /** A prefix that runs the process in other surroundings, and becomes it. */
    public With around(List<String> command) {
      around.addAll(command);
      return this;
    }

    /** Options before the command. */
    With globals(String... options) {
      globals.addAll(List.of(options));
      return this;
    }

    /** Starts {@code murmur}. */
    public Spawned start(String... arguments) {
      List<String> command = new ArrayList<>(around);
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      // Many short processes on few processors.
      command.add("-XX:TieredStopAtLevel=1");
      command.add("-XX:+UseSerialGC");
      command.add("-Xmx256m");
      command.add("-cp");
      command.add(System.getProperty("java.class.path"));
      command.add(program.getName());
      command.addAll(globals);
      command.addAll(List.of(arguments));
      try {
        Process started = new ProcessBuilder(command).start();
        started.getOutputStream().close();
        return new Spawned(started);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Runs {@code murmur} to its end. One that is refused is given again, as in a test. */
    public Ran murmur(String... arguments) {
      return run(List.of(arguments)).refusedAgain(List.of(arguments), this::run);
    }

    private Ran run(List<String> arguments) {
      try (Spawned spawned = start(arguments.toArray(String[]::new))) {
        return spawned.ran();
      }
    }
  }

  /** Prepares a process that works on the wallets of a folder. */
  public static With on(Path datadir) {
    return new With().globals("--network", "regtest", "--datadir", datadir.toString());
  }

  private static Thread reader(String name, Reading reading) {
    Thread thread =
        new Thread(
            () -> {
              try {
                reading.run();
              } catch (IOException e) {
                // The process was killed in the middle of a line.
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void readLines(Process from) throws IOException {
    try (InputStream out = from.getInputStream();
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(out, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        arriving.add(line);
      }
    } finally {
      arriving.add(END);
    }
  }

  /** Waits for a line on stdout; false if the process ends without it. */
  public boolean awaitLine(Predicate<String> wanted) {
    while (true) {
      String line = next();
      if (line.equals(END)) {
        arriving.add(END);
        return false;
      }
      lines.add(line);
      if (wanted.test(line)) {
        return true;
      }
    }
  }

  private String next() {
    try {
      String line = arriving.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (line == null) {
        throw new AssertionError("no line comes any more after " + lines + stderr());
      }
      return line;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Lets it run for this long, or to its end; returns whether it is still running. */
  public boolean runs(long millis) {
    try {
      return !process.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** Ends it as Ctrl-C does. The process's own method would close its output. */
  public Spawned interrupt() {
    process.toHandle().destroy();
    return this;
  }

  /** Sends signal 9 and does not wait. */
  public void strike() {
    process.destroyForcibly();
  }

  /** Kills it with no chance to do anything (signal 9) and returns all it had printed. */
  public List<String> kill() {
    process.destroyForcibly();
    return ran().out().lines().toList();
  }

  /** Waits for its end. */
  public Ran ran() {
    if (runs(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS))) {
      process.destroyForcibly();
      throw new AssertionError("does not end after " + lines + stderr());
    }
    awaitLine(line -> false);
    try {
      for (Thread reader : readers) {
        reader.join();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    return new Ran(process.exitValue(), String.join("\n", lines), stderr());
  }

  private String stderr() {
    return errors.toString(StandardCharsets.UTF_8);
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while a process ran", e);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
