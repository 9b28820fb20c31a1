package org.murmur.cli.lab;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Numbers;
import org.murmur.lab.Journal;
import org.murmur.lab.Parameters;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyResult;
import org.murmur.lab.StudyRun;
import picocli.CommandLine.Option;

/** The options of every run. */
final class LabRun {

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of all random numbers (default: 1).")
  private @Nullable Long seed;

  @Option(names = "--small", description = "Small sizes: seconds instead of minutes.")
  private boolean small;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Parallel trials (default: number of processors).")
  private int threads = Runtime.getRuntime().availableProcessors();

  boolean small() {
    return small;
  }

  void check() {
    threads = Numbers.atLeast(1, "--threads", threads);
  }

  Parameters defaults(StudyKind kind) {
    return kind.defaults(small ? StudyKind.Size.SMALL : StudyKind.Size.USUAL);
  }

  Parameters seeded(Parameters parameters) {
    return seed == null ? parameters : parameters.with(Parameters.SEED, seed);
  }

  /** Runs a study until enough is true. The progress is shown, each name behind a prefix. */
  StudyResult run(
      Action command,
      Study study,
      String prefix,
      Shard part,
      AtomicBoolean enough,
      @Nullable Journal journal)
      throws IOException, InterruptedException {
    try (LabProgress progress = new LabProgress(command.surroundings(), command.options())) {
      return new StudyRun(
              study,
              part,
              threads,
              (experiment, done, all) -> {
                progress.update(prefix + experiment, done, all);
                return !enough.get();
              })
          .run(journal);
    }
  }
}
