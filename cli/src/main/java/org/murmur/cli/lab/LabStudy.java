package org.murmur.cli.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Text;
import org.murmur.lab.CodeVersion;
import org.murmur.lab.Journal;
import org.murmur.lab.Parameters;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyResult;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that runs one study of the lab, such as {@code murmur lab fp}. A subclass names the
 * study and turns its own options into parameters.
 */
abstract class LabStudy extends Action {

  @Option(
      names = "--trials",
      paramLabel = "N",
      description =
          "Number of trials (default: 30, bandwidth: 12). Parts with a fixed number (streams, real"
              + " clients) ignore it.")
  private @Nullable Integer trials;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description = "Run every Nth trial, starting with the Ith; see `lab merge`.")
  private @Nullable String shard;

  @Option(
      names = "--repeat",
      paramLabel = "FILE",
      description =
          "Take all parameters from a JSON result of this study. Other options change them.")
  private @Nullable Path repeat;

  @Option(
      names = "--resume",
      description =
          "With --out: go on with a run that was interrupted or killed. Repeat its options.")
  private boolean resume;

  @Mixin private final LabRun how = new LabRun();
  @Mixin private final LabOutput.Options where = new LabOutput.Options();

  private final StudyKind kind;
  private @Nullable CommandSpec spec;

  LabStudy(StudyKind kind) {
    this.kind = kind;
  }

  @Spec
  final void describe(CommandSpec command) {
    spec = command;
    for (StudyKind.Option one : kind.options()) {
      command.addOption(
          OptionSpec.builder("--" + one.name())
              .paramLabel(one.label())
              .type(one.type())
              .description(one.description())
              .build());
    }
  }

  Parameters choose(Parameters parameters) {
    Parameters chosen = parameters;
    for (StudyKind.Option one : kind.options()) {
      OptionSpec option = Objects.requireNonNull(spec).findOption("--" + one.name());
      chosen = set(chosen, one.name(), option.getValue());
    }
    return chosen;
  }

  /** Finds out before a long run whether it can end well. */
  void check() throws IOException {
    // Most studies need nothing from outside.
  }

  /** Sets a parameter if its option was given. */
  static Parameters set(Parameters parameters, String name, @Nullable Object value) {
    return value == null ? parameters : parameters.with(name, value);
  }

  @Override
  protected final ExitCode run() throws Exception {
    Study study;
    Shard part;
    try {
      part = shard == null ? Shard.WHOLE : Shard.parse(shard);
      study = kind.with(parameters());
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--" + Failures.message(e));
    }
    how.check();
    LabOutput out = new LabOutput(this, where);
    out.prepare(study.name());
    Path folder = out.folder();
    if (resume && folder == null) {
      throw Failure.usage("--resume needs --out DIR, the folder of the interrupted run");
    }
    check();
    AtomicBoolean enough = new AtomicBoolean();
    Surroundings.Registration registration =
        surroundings()
            .interrupts()
            .onInterrupt(
                () -> {
                  enough.set(true);
                  note("stopping: the trials that run now are finished first");
                });
    try (Journal journal = folder == null ? null : LabOutput.journal(folder, study, part, resume)) {
      if (journal != null && resume) {
        note("trials of the interrupted run: " + journal.trials());
      }
      StudyResult result = how.run(this, study, "", part, enough, journal);
      boolean holds = out.show(study, result);
      if (enough.get()) {
        if (folder != null) {
          note("the same command with --resume goes on");
        }
        return ExitCode.INTERRUPTED;
      }
      if (folder != null) {
        Files.deleteIfExists(LabOutput.journalFile(folder, study));
      }
      return holds ? ExitCode.DONE : ExitCode.FAILED;
    } finally {
      registration.end();
    }
  }

  private Parameters parameters() throws IOException {
    Parameters chosen = how.seeded(repeat == null ? how.defaults(kind) : recorded(repeat));
    chosen = choose(set(chosen, Parameters.TRIALS, trials));
    // Checked here once for all studies.
    int ignored = chosen.trials();
    return chosen;
  }

  private Parameters recorded(Path file) throws IOException {
    if (how.small()) {
      throw Failure.usage("--small and --repeat both set all sizes; leave out one of them");
    }
    StudyResult before = LabMerge.read(file);
    if (!before.study().equals(kind.name())) {
      throw Failure.usage(
          "--repeat " + file + " is of lab " + before.study() + ", expected lab " + kind.name());
    }
    if (!before.codeVersion().equals(CodeVersion.ofThis())) {
      note(
          Text.of(
              "%s was made by code %s, this is %s: the numbers may differ",
              file, before.codeVersion(), CodeVersion.ofThis()));
    }
    return before.parameters();
  }
}
