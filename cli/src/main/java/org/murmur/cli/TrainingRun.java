package org.murmur.cli;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Runs harmless commands in one process, so that a class data archive made of it holds what the
 * usual commands need. Started by the launcher after a build; prints nothing and leaves nothing.
 */
final class TrainingRun {

  private TrainingRun() {}

  /**
   * Runs them.
   *
   * @param args not looked at
   */
  public static void main(String[] args) {
    run("filter", "size", "--elements", "2000", "--fp", "1e-9", "--json");
    run("filter", "decode", "03614e9b050000000000000001");
    run("proof", "verify", "00", "--json");
    run("--version");
    run("help", "filter", "size");
    run("no-such-command");
  }

  private static int run(String... args) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Surroundings surroundings =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            nowhere,
            nowhere,
            Map.of(),
            null,
            false,
            stop -> () -> false);
    return Murmur.run(List.of(args), surroundings);
  }
}
