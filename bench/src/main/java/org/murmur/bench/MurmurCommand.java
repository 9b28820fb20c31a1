package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * {@code ./murmur} as its users run it, with its flags, class data archive and start-up. Each
 * instance has a data folder with one wallet, restored from {@link Contender#WORDS}.
 */
final class MurmurCommand implements AutoCloseable {

  private final Folder folder = Folder.made();
  private final Map<String, String> environment = new HashMap<>();
  private final long restoreMillis;

  private MurmurCommand(String... options) throws IOException {
    environment.put("MURMUR_NETWORK", "regtest");
    environment.put("MURMUR_DATADIR", folder.path().toString());
    environment.put("MURMUR_JAVA_OPTIONS", "");
    Path words = folder.file("words");
    Files.writeString(words, Contender.WORDS, StandardCharsets.US_ASCII);
    List<String> command = new ArrayList<>(List.of("restore", "--mnemonic-file", words.toString()));
    command.addAll(List.of(options));
    restoreMillis = run(command).wallMillis();
  }

  /** Restores a wallet into a fresh folder. */
  static MurmurCommand restored(String... options) throws IOException {
    return new MurmurCommand(options);
  }

  /** The checkout to measure. */
  static Path root() {
    return Path.of(System.getProperty("murmur.root", ".")).toAbsolutePath().normalize();
  }

  /** Sets Java options, or clears them. */
  MurmurCommand withJavaOptions(String options) {
    environment.put("MURMUR_JAVA_OPTIONS", options);
    return this;
  }

  /** Syncs and returns the report with {@code wall_ms}, {@code whole_ms}, {@code peak_kib}. */
  ObjectNode sync(String... arguments) throws IOException {
    return report(List.of("sync", "--json"), arguments);
  }

  /** Scans every block again; returns the same fields as {@link #sync}. */
  ObjectNode rescan(String... arguments) throws IOException {
    return report(List.of("rescan", "--from", "0", "--json"), arguments);
  }

  private ObjectNode report(List<String> words, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(words);
    command.addAll(List.of(arguments));
    Launch.Ran ran = run(command);
    ObjectNode report = ran.report();
    if (!report.path("complete").asBoolean() && !command.contains("--headers-only")) {
      throw new IOException("not complete: " + report);
    }
    return report.put("whole_ms", ran.wallMillis() + restoreMillis);
  }

  /** Runs any command; returns its {@code wall_ms} and {@code peak_kib}. */
  ObjectNode timed(String... arguments) throws IOException {
    return run(List.of(arguments)).measured(Bench.JSON.createObjectNode());
  }

  /** Returns the size of the wallet's files in bytes. */
  long fileBytes() throws IOException {
    try (Stream<Path> files = Files.walk(folder.path())) {
      return files
          .filter(file -> file.getFileName().toString().contains(".sqlite"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  private Launch.Ran run(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(root().resolve("murmur").toString()));
    command.addAll(arguments);
    return Launch.run(command, environment);
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
