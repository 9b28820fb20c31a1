package org.murmur.cli.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.lab.CodeVersion;
import org.murmur.lab.Journal;
import org.murmur.lab.Parameters;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyResult;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Watcher;
import org.murmur.lab.report.Catalogue;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A command that runs one study of the lab, such as {@code murmur lab fp}. A subclass names the
 * study and turns its own options into parameters.
 */
abstract class LabStudy extends Action {

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of all random numbers (default: 1).")
  private @Nullable Long seed;

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

  @Option(names = "--small", description = "Small sizes: seconds instead of minutes.")
  private boolean small;

  @Option(
      names = "--repeat",
      paramLabel = "FILE",
      description =
          "Take all parameters from a JSON result of this study. Other options change them.")
  private @Nullable Path repeat;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Parallel trials (default: number of processors).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--resume",
      description =
          "With --out: go on with a run that was interrupted or killed. Repeat its options.")
  private boolean resume;

  @Mixin private final LabOutput.Options where = new LabOutput.Options();

  /** The study's name in the catalogue. */
  abstract String study();

  /** Sets the parameters of the subclass's options. */
  Parameters choose(Parameters parameters) {
    return parameters;
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
    StudyKind kind = Catalogue.named(study());
    Study study;
    Shard part;
    try {
      part = shard == null ? Shard.WHOLE : Shard.parse(shard);
      study = kind.with(parameters(kind));
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--" + Failures.message(e));
    }
    if (threads < 1) {
      throw Failure.usage("--threads " + threads + ", expected 1 or more");
    }
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
                  output().note("stopping: the trials that run now are finished first");
                });
    try (Journal journal = folder == null ? null : LabOutput.journal(folder, study, part, resume)) {
      if (journal != null && resume) {
        output().note("trials of the interrupted run: " + journal.trials());
      }
      StudyResult result = observe(study, part, enough, journal);
      boolean holds = out.show(study, result);
      if (enough.get()) {
        if (folder != null) {
          output().note("the same command with --resume goes on");
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

  private StudyResult observe(
      Study study, Shard part, AtomicBoolean enough, @Nullable Journal journal)
      throws IOException, InterruptedException {
    try (LabProgress progress = LabProgress.on(surroundings(), options())) {
      Watcher watcher =
          (experiment, done, all) -> {
            progress.update(experiment, done, all);
            return !enough.get();
          };
      return new StudyRun(study, part, threads, watcher).run(journal);
    }
  }

  private Parameters parameters(StudyKind kind) throws IOException {
    Parameters chosen =
        repeat == null
            ? kind.defaults(small ? StudyKind.Size.SMALL : StudyKind.Size.USUAL)
            : recorded(repeat);
    chosen = set(chosen, Parameters.SEED, seed);
    chosen = choose(set(chosen, Parameters.TRIALS, trials));
    // Checked here once for all studies.
    int ignored = chosen.trials();
    return chosen;
  }

  /** The parameters of an earlier run. */
  private Parameters recorded(Path file) throws IOException {
    if (small) {
      throw Failure.usage("--small and --repeat both set all sizes; leave out one of them");
    }
    StudyResult before = LabMerge.read(file);
    if (!before.study().equals(study())) {
      throw Failure.usage(
          "--repeat " + file + " is of lab " + before.study() + ", expected lab " + study());
    }
    if (!before.codeVersion().equals(CodeVersion.ofThis())) {
      output()
          .note(
              file
                  + " was made by code "
                  + before.codeVersion()
                  + ", this is "
                  + CodeVersion.ofThis()
                  + ": the numbers may differ");
    }
    return before.parameters();
  }
}
