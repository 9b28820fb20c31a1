package org.murmur.cli.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Text;
import org.murmur.lab.CodeVersion;
import org.murmur.lab.ResultFiles;
import org.murmur.lab.Study;
import org.murmur.lab.StudyResult;
import org.murmur.lab.report.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "merge",
    description = "Merge the shards of a run and compute the results from all trials.",
    footer = {
      "Reads the JSON written by --json or --out of a run with --shard, or by another merge.",
      "Files of another study, other parameters or other code are refused, and so are duplicate",
      "trials.",
      "Example:",
      "  murmur lab fp --shard 1/2 --json > 1.json    # here",
      "  murmur lab fp --shard 2/2 --json > 2.json    # there",
      "  murmur lab merge 1.json 2.json --out fp"
    })
final class LabMerge extends Action {

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "JSON of a run.")
  private List<Path> files = new ArrayList<>();

  @Mixin private final LabOutput.Options where = new LabOutput.Options();

  @Override
  protected ExitCode run() throws IOException {
    LabOutput out = new LabOutput(this, where);
    List<StudyResult.Part> parts = new ArrayList<>();
    for (Path file : files) {
      parts.add(new StudyResult.Part(file.toString(), read(file)));
    }
    StudyResult merged = taken("unlike", "", () -> StudyResult.merge(parts));
    Study study = studyOf(merged);
    out.prepare(study.name());
    try {
      return out.show(study, merged) ? ExitCode.DONE : ExitCode.FAILED;
    } catch (IllegalArgumentException e) {
      throw Failure.failed(
          "malformed",
          "a file was changed: its rows contradict each other (" + Failures.message(e) + ")",
          e);
    }
  }

  /** The study of a result, from this program's catalogue. */
  static Study studyOf(StudyResult result) throws IOException {
    if (!result.codeVersion().equals(CodeVersion.ofThis())) {
      throw Failure.failed(
          "unlike",
          Text.of(
              "lab %s was made by code %s, this is %s, which may give other results; use the code"
                  + " that ran it",
              result.study(), result.codeVersion(), CodeVersion.ofThis()));
    }
    return taken("malformed", "", () -> Catalogue.named(result.study()).with(result.parameters()));
  }

  static StudyResult read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw Failure.usage(
          "'"
              + file
              + "' is a folder, expected a JSON file of `murmur lab`, for instance DIR/*.json");
    }
    String text = Inputs.text("the result", file);
    return taken("malformed", file + ": ", () -> ResultFiles.fromJson(text));
  }

  /** Reads files that may be of another run, or changed. */
  private static <T> T taken(String kind, String where, Supplier<T> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      throw Failure.failed(kind, where + Failures.message(e), e);
    }
  }
}
