package org.murmur.cli.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.lab.CodeVersion;
import org.murmur.lab.ResultFiles;
import org.murmur.lab.Study;
import org.murmur.lab.StudyResult;
import org.murmur.lab.report.Catalogue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code murmur lab merge}. */
@Command(
    name = "merge",
    description = "Merge the shards of a run and compute the results from all trials.",
    footer = {
      "",
      "Reads the JSON written by --json or --out of a run with --shard, or by another merge.",
      "Files of another study, other parameters or other code are refused, and so are duplicate",
      "trials.",
      "",
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
    StudyResult merged;
    try {
      merged = StudyResult.merge(parts);
    } catch (IllegalArgumentException e) {
      throw new Failure(ExitCode.FAILED, "unlike", Failures.message(e), e);
    }
    Study study = studyOf(merged);
    out.prepare(study.name());
    try {
      return out.show(study, merged) ? ExitCode.DONE : ExitCode.FAILED;
    } catch (IllegalArgumentException e) {
      throw new Failure(
          ExitCode.FAILED,
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
          "lab "
              + result.study()
              + " was made by code "
              + result.codeVersion()
              + ", this is "
              + CodeVersion.ofThis()
              + ", which may give other results; use the code that ran it");
    }
    try {
      return Catalogue.named(result.study()).with(result.parameters());
    } catch (IllegalArgumentException e) {
      throw new Failure(ExitCode.FAILED, "malformed", Failures.message(e), e);
    }
  }

  static StudyResult read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw Failure.usage(
          "'"
              + file
              + "' is a folder, expected a JSON file of `murmur lab`, for instance DIR/*.json");
    }
    try {
      return ResultFiles.fromJson(Inputs.text("the result", file));
    } catch (IllegalArgumentException e) {
      throw new Failure(ExitCode.FAILED, "malformed", file + ": " + Failures.message(e), e);
    }
  }
}
