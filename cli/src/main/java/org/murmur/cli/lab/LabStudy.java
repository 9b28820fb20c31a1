package org.murmur.cli.lab;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.Advice;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.lab.Parameters;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyResult;
import org.murmur.lab.StudyRun;
import org.murmur.lab.Watcher;
import org.murmur.lab.probe.UnreachableException;
import org.murmur.lab.report.Catalogue;
import org.murmur.p2p.chain.ChainParams;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A command that runs one study of the lab, such as {@code murmur lab fp}. A subclass names the
 * study and turns its own options into parameters.
 */
abstract class LabStudy extends Action {

  @Option(names = "--seed", paramLabel = "N", description = "Seed of all random numbers.")
  private @Nullable Long seed;

  @Option(
      names = "--trials",
      paramLabel = "N",
      description =
          "Number of trials. Parts with a fixed number (streams, real clients) ignore it.")
  private @Nullable Integer trials;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description = "Run every Nth trial, starting with the Ith; see `lab merge`.")
  private @Nullable String shard;

  @Option(names = "--small", description = "Small sizes: seconds instead of minutes.")
  private boolean small;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Parallel trials (default: number of processors).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Mixin private final LabOutput.Options where = new LabOutput.Options();

  /** The study's name in the catalogue. */
  abstract String study();

  /** Sets the parameters of the subclass's options. */
  Parameters choose(Parameters parameters) {
    return parameters;
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
    out.prepare();
    AtomicBoolean enough = new AtomicBoolean();
    Surroundings.Registration registration =
        surroundings()
            .interrupts()
            .onInterrupt(
                () -> {
                  enough.set(true);
                  output().note("stopping: the trials that run now are finished first");
                });
    try {
      StudyResult result = observe(study, part, enough);
      boolean holds = out.show(study, result);
      if (enough.get()) {
        return ExitCode.INTERRUPTED;
      }
      return holds ? ExitCode.DONE : ExitCode.FAILED;
    } finally {
      registration.end();
    }
  }

  private StudyResult observe(Study study, Shard part, AtomicBoolean enough)
      throws IOException, InterruptedException {
    try (LabProgress progress = LabProgress.on(surroundings(), options())) {
      Watcher watcher =
          (experiment, done, all) -> {
            progress.update(experiment, done, all);
            return !enough.get();
          };
      return new StudyRun(study, part, threads, watcher).run();
    } catch (UnreachableException e) {
      String advice = Advice.of(e.obstacle(), ChainParams.ofName(networkName()));
      throw new Failure(ExitCode.FAILED, "io", Failures.message(e) + ". " + advice, e);
    }
  }

  private Parameters parameters(StudyKind kind) {
    Parameters chosen = kind.defaults(small ? StudyKind.Size.SMALL : StudyKind.Size.USUAL);
    chosen = set(chosen, Parameters.SEED, seed);
    chosen = choose(set(chosen, Parameters.TRIALS, trials));
    // Checked here once for all studies.
    int ignored = chosen.trials();
    return chosen;
  }
}
