package org.murmur.lab;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The finished trials of a run, in a file that grows by a line for each. A run that is killed can
 * go on from it. The first line names the run:
 *
 * <pre>
 * { "murmur_lab_journal": 1, "study", "code_version", "shard": "1/1", "parameters": { ... } }
 * { "experiment", "trial", "rows": [ [ ... ], ... ] }
 * </pre>
 *
 * <p>A line that was cut by the end of the program is dropped; its trial runs again. Not safe for
 * several threads: {@link StudyRun} calls it under a lock.
 */
public final class Journal implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FORMAT = 1;

  private final OutputStream out;
  private final Map<String, Map<Integer, Table>> kept;

  private Journal(OutputStream out, Map<String, Map<Integer, Table>> kept) {
    this.out = out;
    this.kept = kept;
  }

  /**
   * Returns whether a file holds trials of an earlier run; false if there is no such file, or it
   * ends before its first trial.
   */
  public static boolean holdsTrials(Path file) throws IOException {
    return whole(file).size() > 1;
  }

  /**
   * Opens a journal, which is made if it does not exist, and reads the trials that it holds. Throws
   * {@link IllegalArgumentException} if the file is of another run, or damaged; the message gives
   * the reason.
   */
  public static Journal open(Path file, Study study, Shard shard) throws IOException {
    ObjectNode head = JSON.createObjectNode();
    head.put("murmur_lab_journal", FORMAT);
    head.put("study", study.name());
    head.put("code_version", CodeVersion.ofThis());
    head.put("shard", shard.toString());
    study.parameters().toJson(head.putObject("parameters"));

    List<String> lines = whole(file);
    Map<String, Map<Integer, Table>> kept = new HashMap<>();
    if (!lines.isEmpty()) {
      compare(lines.get(0), head);
      for (String line : lines.subList(1, lines.size())) {
        read(line, study, kept);
      }
    }
    OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    try {
      long length = lines.stream().mapToLong(line -> utf8(line).length + 1).sum();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(length);
      }
      if (lines.isEmpty()) {
        out.write(utf8(head + "\n"));
      }
      return new Journal(out, kept);
    } catch (IOException e) {
      out.close();
      throw e;
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The lines that were written whole. */
  private static List<String> whole(Path file) throws IOException {
    String text =
        Files.exists(file) ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8) : "";
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  private static void compare(String line, ObjectNode head) {
    JsonNode found = parsed(line);
    for (String name : List.of("murmur_lab_journal", "study", "code_version", "shard")) {
      refuse(name.replace('_', ' '), found.path(name), head.path(name));
    }
    JsonNode before = found.path("parameters");
    for (Map.Entry<String, JsonNode> parameter : head.path("parameters").properties()) {
      refuse(parameter.getKey(), before.path(parameter.getKey()), parameter.getValue());
    }
  }

  private static void refuse(String what, JsonNode found, JsonNode expected) {
    if (!found.toString().equals(expected.toString())) {
      throw new IllegalArgumentException(
          "the interrupted run had " + what + " " + found + ", this one has " + expected);
    }
  }

  private static JsonNode parsed(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a line of JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static void read(String line, Study study, Map<String, Map<Integer, Table>> kept) {
    JsonNode node = parsed(line);
    String name = node.path("experiment").asText();
    Experiment experiment =
        study.experiments().stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no experiment '" + name + "'"));
    kept.computeIfAbsent(name, any -> new TreeMap<>())
        .put(
            node.path("trial").asInt(),
            ResultFiles.rows(name, StudyResult.columns(experiment), node.path("rows")));
  }

  /** Returns the number of trials that were read of an earlier run; 0 for a new one. */
  public int trials() {
    return kept.values().stream().mapToInt(Map::size).sum();
  }

  /** The trials of an experiment that an earlier run finished, by number. */
  Map<Integer, Table> kept(String experiment) {
    return kept.getOrDefault(experiment, Map.of());
  }

  void add(String experiment, int trial, Table rows) throws IOException {
    ObjectNode node = JSON.createObjectNode();
    node.put("experiment", experiment);
    node.put("trial", trial);
    ResultFiles.putRows(node, rows);
    out.write(utf8(node + "\n"));
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
