package org.murmur.cli.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Columns;
import org.murmur.cli.terminal.ForceOption;
import org.murmur.cli.terminal.Output;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Text;
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
record LabOutput(Action command, Options options) {

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
          if (KINDS.containsKey(ending(file.toString()))) {
            file(folder, file.getFileName().toString()).check();
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
      throw Failure.failed(
          "unlike",
          Text.of(
              "--resume cannot go on from %s: %s. Delete the file to begin again",
              file, Failures.message(e)),
          e);
    }
  }

  static Path journalFile(Path folder, Study study) {
    return folder.resolve(study.name() + ".journal");
  }

  @Nullable Path folder() {
    return options.out == null ? null : folder(options.out);
  }

  static Path folder(String name) {
    if (name.isBlank()) {
      throw Failure.usage("--out is empty, expected a folder; . is the current one");
    }
    return Failure.checked("--out", () -> Path.of(name));
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
    file(folder, name + ".json").write(json);
    for (StudyResult.Observed one : result.experiments()) {
      file(folder, name + "." + one.experiment() + ".csv")
          .write(ResultFiles.toCsv(result, one.rows()));
    }
    for (Section section : sections) {
      for (Table table : section.tables()) {
        file(folder, name + "." + table.name() + ".csv").write(ResultFiles.toCsv(result, table));
      }
      for (Plot plot : section.plots()) {
        file(folder, name + "." + plot.name() + ".svg").write(Drawing.svg(plot));
        if (options.png) {
          file(folder, name + "." + plot.name() + ".png").write(Drawing.png(plot));
        }
      }
    }
    command.output().note("written to " + folder);
  }

  /** A file of results, whose ending names its kind. */
  private OutputFile file(Path folder, String name) {
    OutputFile.Kind kind = Objects.requireNonNull(KINDS.get(ending(name)), name);
    return new OutputFile(folder.resolve(name), kind, options.force.given());
  }

  private static String ending(String name) {
    return name.substring(name.lastIndexOf('.'));
  }

  private static void print(PrintStream out, StudyResult result, List<Section> sections) {
    String incomplete = result.complete() ? "" : "INCOMPLETE: " + result.trials();
    if (!incomplete.isEmpty()) {
      out.println(incomplete + "\n");
    }
    for (Section section : sections) {
      out.println(section.title().toUpperCase(Locale.ROOT));
      section
          .explanation()
          .forEach(
              paragraph -> {
                out.println();
                Columns.wrapped(paragraph.strip().replaceAll("\\s+", " "), "", LINE)
                    .forEach(out::println);
              });
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

  private static void print(PrintStream out, Table table) {
    out.println("\n" + table.title());
    List<List<String>> lines = new ArrayList<>();
    lines.add(table.columns().stream().map(Column::heading).toList());
    table.rows().forEach(row -> lines.add(row.values().stream().map(Table::shown).toList()));
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < table.columns().size(); i++) {
      int column = i;
      int width = lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
      Column.Kind kind = table.columns().get(i).kind();
      boolean left = kind == Column.Kind.TEXT || kind == Column.Kind.FLAG;
      form.append(left ? "%-" : "%").append(width).append("s  ");
    }
    lines.forEach(line -> out.println(Text.of(form.toString(), line.toArray()).stripTrailing()));
  }
}
