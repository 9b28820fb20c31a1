package org.murmur.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Runs the trials of a study, in parallel where the experiment allows it. */
public final class StudyRun {

  private final Study study;
  private final Shard shard;
  private final int threads;
  private final Watcher watcher;
  private volatile boolean goesOn = true;

  /** Prepares a run. At least 1 trial runs at a time, and no more than so many threads. */
  public StudyRun(Study study, Shard shard, int threads, Watcher watcher) {
    this.study = study;
    this.shard = shard;
    this.threads = threads;
    this.watcher = watcher;
  }

  /**
   * Runs the trials, and returns their observations; of fewer trials if the watcher stopped the
   * run.
   */
  public StudyResult run() throws IOException, InterruptedException {
    return run(null);
  }

  /**
   * Runs the trials that the journal of an earlier run of the same study and shard does not hold,
   * and adds each to it when it is finished; null to keep none. Returns the observations with those
   * of the journal; of fewer trials if the watcher stopped the run.
   */
  public StudyResult run(@Nullable Journal journal) throws IOException, InterruptedException {
    List<StudyResult.Observed> all = new ArrayList<>();
    for (Experiment experiment : study.experiments()) {
      all.add(new Part(experiment, journal).observe());
    }
    return new StudyResult(study.name(), study.parameters(), CodeVersion.ofThis(), all);
  }

  /** The trials of one experiment, taken by several workers. */
  private final class Part {

    private final Experiment experiment;
    private final List<Column> columns;
    private final @Nullable Journal journal;
    private final SortedMap<Integer, Table> done = new TreeMap<>();
    private final Queue<Integer> left = new ConcurrentLinkedQueue<>();
    private final int all;
    private int over;

    Part(Experiment experiment, @Nullable Journal journal) {
      this.experiment = experiment;
      this.columns = StudyResult.columns(experiment);
      this.journal = journal;
      if (journal != null) {
        done.putAll(journal.kept(experiment.name()));
      }
      for (int trial = 1; trial <= experiment.trials(); trial++) {
        if (shard.holds(trial) && !done.containsKey(trial)) {
          left.add(trial);
        }
      }
      all = left.size();
      goesOn = goesOn && watcher.progress(experiment.name(), 0, all);
    }

    StudyResult.Observed observe() throws IOException, InterruptedException {
      // More workers than trials would only wait.
      int workers = Math.max(1, experiment.alone() ? 1 : Math.min(threads, all));
      ExecutorService pool = Executors.newFixedThreadPool(workers);
      try {
        for (Future<?> worker : pool.invokeAll(Collections.nCopies(workers, this::work))) {
          worker.get();
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException io) {
          throw io;
        }
        if (e.getCause() instanceof RuntimeException unexpected) {
          throw unexpected;
        }
        throw new AssertionError("a trial failed", e.getCause());
      } finally {
        pool.shutdownNow();
      }
      List<Table.Row> rows = done.values().stream().flatMap(t -> t.rows().stream()).toList();
      return new StudyResult.Observed(
          experiment.name(),
          experiment.trials(),
          List.copyOf(done.keySet()),
          experiment.constants(),
          new Table(experiment.name(), experiment.name(), columns, rows));
    }

    /** Runs trials until none is left or one fails. */
    private Boolean work() throws IOException, InterruptedException {
      boolean failed = true;
      try {
        for (Integer number = next(); number != null; number = next()) {
          finished(number, observe(number));
        }
        failed = false;
      } finally {
        if (failed) {
          goesOn = false;
        }
      }
      return true;
    }

    private @Nullable Integer next() {
      return goesOn ? left.poll() : null;
    }

    private Table observe(int number) throws IOException, InterruptedException {
      Table.Builder table = Table.of(experiment.name(), experiment.name(), columns);
      experiment.observe(
          new Trial(experiment.name(), study.parameters().seed(), number),
          values -> {
            List<Object> row = new ArrayList<>();
            row.add((long) number);
            row.addAll(Arrays.asList(values));
            table.row(row);
          });
      return table.build();
    }

    private synchronized void finished(int number, Table rows) throws IOException {
      done.put(number, rows);
      if (journal != null) {
        journal.add(experiment.name(), number, rows);
      }
      over++;
      if (!watcher.progress(experiment.name(), over, all)) {
        goesOn = false;
      }
    }
  }
}
