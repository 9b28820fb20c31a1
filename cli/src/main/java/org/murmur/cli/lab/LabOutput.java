package org.murmur.cli.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.ForceOption;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.CodeVersion;
import org.murmur.lab.Column;
import org.murmur.lab.Journal;
import org.murmur.lab.Plot;
import org.murmur.lab.ResultFiles;
import org.murmur.lab.Section;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyResult;
import org.murmur.lab.Table;
import org.murmur.lab.plot.Drawing;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes the results of a study to stdout and to files. */
final class LabOutput {

  private static final int LINE = 92;

  private static final Map<String, OutputFile.Kind> KINDS =
      Map.of(
          ".json", OutputFile.Kind.RESULT,
          ".csv", OutputFile.Kind.TABLE,
          ".svg", OutputFile.Kind.PLOT_SVG,
          ".png", OutputFile.Kind.PLOT_PNG);

  /** Standard output and error. */
  static final class Options {

    @Option(
        names = "--csv",
        description =
            "CSV on stdout: the rows of the trials, a table for each part, with an empty line"
                + " between. --out DIR writes each table to a file of its own.")
    private boolean csv;

    @Option(
        names = "--out",
        paramLabel = "DIR",
        description =
            "Write STUDY.json, STUDY.TABLE.csv for each table and STUDY.PLOT.svg for each plot to"
                + " this folder.")
    private @Nullable String out;

    @Option(names = "--png", description = "With --out: also write plots as PNG.")
    private boolean png;

    @Mixin private ForceOption force = new ForceOption();
  }

  private final Action command;
  private final Options options;

  LabOutput(Action command, Options options) {
    this.command = command;
    this.options = options;
  }

  /** Rejects contradictory options, and files of others in the folder, before a long run. */
  void prepare(String study) throws IOException {
    boolean forPrograms = command.options().json() || command.options().jsonl();
    if (options.csv && forPrograms) {
      throw Failure.usage("--csv and --json both write to stdout; --out DIR writes both");
    }
    if (options.png && options.out == null) {
      throw Failure.usage("--png needs --out DIR");
    }
    if (options.force.given() && options.out == null) {
      throw Failure.usage("--force needs --out DIR");
    }
    if (options.out != null) {
      Path folder = folder(options.out);
      prepare(folder);
      try (DirectoryStream<Path> earlier = Files.newDirectoryStream(folder, study + ".*")) {
        for (Path file : earlier) {
          String name = file.getFileName().toString();
          OutputFile.Kind kind = KINDS.get(name.substring(name.lastIndexOf('.')));
          if (kind != null) {
            file(folder, name, kind).check();
          }
        }
      }
    }
  }

  /**
   * Makes a folder for results, and finds out before a long run whether files can be made there.
   */
  static void prepare(Path folder) throws IOException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw Failure.usage("--out " + folder + " is a file, expected a folder");
    }
    Files.createDirectories(folder);
    Files.delete(Files.createTempFile(folder, "murmur", null));
  }

  /**
   * Opens the file that a run writes its trials to, so that a later one can go on: {@code resume}
   * goes on with the trials that the file holds.
   */
  static Journal journal(Path folder, Study study, Shard shard, boolean resume) throws IOException {
    Path file = journalFile(folder, study);
    new OutputFile(file, OutputFile.Kind.JOURNAL, false).check();
    if (!resume && Journal.holdsTrials(file)) {
      throw Failure.usage(
          file
              + " has the trials of an interrupted run. Add --resume to go on, or delete the file"
              + " to begin again");
    }
    try {
      if (!resume) {
        Files.deleteIfExists(file);
      }
      return Journal.open(file, study, shard);
    } catch (IllegalArgumentException e) {
      throw new Failure(
          ExitCode.FAILED,
          "unlike",
          "--resume cannot go on from "
              + file
              + ": "
              + Failures.message(e)
              + ". Delete the file to begin again",
          e);
    }
  }

  static Path journalFile(Path folder, Study study) {
    return folder.resolve(study.name() + ".journal");
  }

  /** The folder of --out, or null. */
  @Nullable Path folder() {
    return options.out == null ? null : folder(options.out);
  }

  /** The folder of --out. */
  static Path folder(String name) {
    if (name.isBlank()) {
      throw Failure.usage("--out is empty, expected a folder; . is the current one");
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw Failure.usage("--out: " + Failures.message(e));
    }
  }

  /** Writes everything; returns whether every verdict holds. */
  boolean show(Study study, StudyResult result) throws IOException {
    List<Section> sections = result.conclude(study);
    String json = ResultFiles.toJson(result, sections);
    if (options.out != null) {
      write(folder(options.out), study.name(), result, sections, json);
    }
    Output output = command.output();
    if (command.options().json()) {
      output.exactly(json);
    } else if (command.options().jsonl()) {
      output.exactly(json.replaceAll("\\n *", "") + "\n");
    } else if (options.csv) {
      output.exactly(
          result.experiments().stream()
              .map(part -> ResultFiles.toCsv(result, part.rows()))
              .collect(Collectors.joining("\n")));
    } else {
      output.text(out -> print(out, result, sections));
    }
    if (!result.complete()) {
      output.note(
          "these are not all trials: " + missing(result) + "; `murmur lab merge` joins shards");
    }
    return sections.stream().allMatch(Section::holds);
  }

  private static String missing(StudyResult result) {
    return result.experiments().stream()
        .map(one -> one.experiment() + " " + one.done().size() + "/" + one.trials())
        .collect(Collectors.joining(", "));
  }

  private void write(
      Path folder, String name, StudyResult result, List<Section> sections, String json)
      throws IOException {
    System.setProperty("java.awt.headless", "true");
    write(folder, name + ".json", OutputFile.Kind.RESULT, json);
    for (StudyResult.Observed one : result.experiments()) {
      write(
          folder,
          name + "." + one.experiment() + ".csv",
          OutputFile.Kind.TABLE,
          ResultFiles.toCsv(result, one.rows()));
    }
    for (Section section : sections) {
      for (Table table : section.tables()) {
        write(
            folder,
            name + "." + table.name() + ".csv",
            OutputFile.Kind.TABLE,
            ResultFiles.toCsv(result, table));
      }
      for (Plot plot : section.plots()) {
        String picture = name + "." + plot.name();
        write(folder, picture + ".svg", OutputFile.Kind.PLOT_SVG, Drawing.svg(plot));
        if (options.png) {
          file(folder, picture + ".png", OutputFile.Kind.PLOT_PNG).write(Drawing.png(plot));
        }
      }
    }
    command.output().note("written to " + folder);
  }

  private void write(Path folder, String name, OutputFile.Kind kind, String text)
      throws IOException {
    file(folder, name, kind).write(text);
  }

  private OutputFile file(Path folder, String name, OutputFile.Kind kind) {
    return new OutputFile(folder.resolve(name), kind, options.force.given());
  }

  private static void print(PrintStream out, StudyResult result, List<Section> sections) {
    String incomplete = result.complete() ? "" : "INCOMPLETE: " + result.trials();
    if (!incomplete.isEmpty()) {
      out.println(incomplete + "\n");
    }
    for (Section section : sections) {
      out.println(section.title().toUpperCase(Locale.ROOT));
      section.explanation().forEach(paragraph -> out.println("\n" + wrapped(paragraph)));
      section.tables().forEach(table -> print(out, table));
      if (!section.verdicts().isEmpty()) {
        out.println();
      }
      for (ClaimVerdict verdict : section.verdicts()) {
        out.println(verdict.outcome().label() + "  " + verdict.claim() + ": " + verdict.detail());
      }
      out.println();
    }
    out.printf(
        "(%s, code %s, %s)%n",
        result.parameters(), result.codeVersion(), CodeVersion.commitInWords());
    if (!incomplete.isEmpty()) {
      out.println(incomplete);
    }
  }

  /** Wraps a paragraph into lines. */
  static String wrapped(String paragraph) {
    StringBuilder text = new StringBuilder();
    int column = 0;
    for (String word : paragraph.strip().split("\\s+", -1)) {
      if (column > 0 && column + 1 + word.length() > LINE) {
        text.append('\n');
        column = 0;
      }
      text.append(column > 0 ? " " : "").append(word);
      column += word.length() + (column > 0 ? 1 : 0);
    }
    return text.toString();
  }

  private static void print(PrintStream out, Table table) {
    out.println("\n" + table.title());
    List<Column> columns = table.columns();
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = columns.get(i).heading().length();
      for (Table.Row row : table.rows()) {
        widths[i] = Math.max(widths[i], Table.shown(row.values().get(i)).length());
      }
    }
    StringBuilder head = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      head.append(padded(columns.get(i).heading(), widths[i], columns.get(i)));
    }
    out.println(head.toString().stripTrailing());
    for (Table.Row row : table.rows()) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(padded(Table.shown(row.values().get(i)), widths[i], columns.get(i)));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static String padded(String text, int width, Column column) {
    boolean left = column.kind() == Column.Kind.TEXT || column.kind() == Column.Kind.FLAG;
    return String.format(Locale.ROOT, left ? "%-" + width + "s  " : "%" + width + "s  ", text);
  }
}
