package org.murmur.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs the trials of a study, in parallel where the experiment allows it. */
public final class StudyRun {

  private final Study study;
  private final Shard shard;
  private final int threads;
  private final Watcher watcher;

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
    boolean goOn = true;
    for (Experiment experiment : study.experiments()) {
      TreeMap<Integer, Table> tables = new TreeMap<>();
      if (journal != null) {
        tables.putAll(journal.kept(experiment.name()));
      }
      List<Integer> numbers = numbers(experiment);
      numbers.removeAll(tables.keySet());
      Progress progress = new Progress(experiment, numbers, goOn);
      all.add(observe(experiment, progress, tables, journal));
      goOn = progress.goesOn();
    }
    return new StudyResult(study.name(), study.parameters(), CodeVersion.ofThis(), all);
  }

  private List<Integer> numbers(Experiment experiment) {
    List<Integer> numbers = new ArrayList<>();
    for (int trial = 1; trial <= experiment.trials(); trial++) {
      if (shard.holds(trial)) {
        numbers.add(trial);
      }
    }
    return numbers;
  }

  private StudyResult.Observed observe(
      Experiment experiment,
      Progress progress,
      SortedMap<Integer, Table> tables,
      @Nullable Journal journal)
      throws IOException, InterruptedException {
    List<Column> columns = StudyResult.columns(experiment);
    // More workers than trials would only wait.
    int workers = Math.max(1, experiment.alone() ? 1 : Math.min(threads, progress.trials()));
    ExecutorService pool = Executors.newFixedThreadPool(workers);
    try {
      List<Future<Void>> working = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        working.add(pool.submit(new Worker(experiment, columns, progress, tables, journal)));
      }
      for (Future<Void> worker : working) {
        finish(worker);
      }
    } finally {
      pool.shutdownNow();
    }
    List<Table.Row> rows = tables.values().stream().flatMap(t -> t.rows().stream()).toList();
    Table observed = new Table(experiment.name(), experiment.name(), columns, rows);
    return new StudyResult.Observed(
        experiment.name(),
        experiment.trials(),
        List.copyOf(tables.keySet()),
        experiment.constants(),
        observed);
  }

  private static void finish(Future<Void> worker) throws IOException, InterruptedException {
    try {
      worker.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException io) {
        throw io;
      }
      if (cause instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      if (cause instanceof RuntimeException unexpected) {
        throw unexpected;
      }
      throw new AssertionError("a trial failed", cause);
    }
  }

  /** Runs trials until none is left or one fails. */
  private record Worker(
      Experiment experiment,
      List<Column> columns,
      Progress progress,
      SortedMap<Integer, Table> done,
      @Nullable Journal journal)
      implements Callable<Void> {

    @Override
    @SuppressWarnings("NullAway") // a Callable<Void> has nothing else to return
    public Void call() throws Exception {
      try {
        for (int number = progress.next(); number > 0; number = progress.next()) {
          Table rows = observe(number);
          synchronized (progress) {
            done.put(number, rows);
            if (journal != null) {
              journal.add(experiment.name(), number, rows);
            }
            progress.over();
          }
        }
      } catch (Throwable failure) {
        progress.stop();
        throw failure;
      }
      return null;
    }

    private Table observe(int number) throws IOException, InterruptedException {
      Table.Builder table = Table.of(experiment.name(), experiment.name(), columns);
      Trial trial = new Trial(experiment.name(), seed(), number);
      experiment.observe(
          trial,
          values -> {
            List<Object> row = new ArrayList<>();
            row.add((long) number);
            row.addAll(Arrays.asList(values));
            table.row(row);
          });
      return table.build();
    }

    private long seed() {
      return progress.seed();
    }
  }

  /** The trials left to run, shared by the workers. */
  private final class Progress {

    private final Experiment experiment;
    private final List<Integer> numbers;
    private final AtomicInteger taken = new AtomicInteger();
    private volatile boolean goesOn;
    private int over;

    Progress(Experiment experiment, List<Integer> numbers, boolean goesOn) {
      this.experiment = experiment;
      this.numbers = numbers;
      this.goesOn = goesOn && watcher.progress(experiment.name(), 0, numbers.size());
    }

    int trials() {
      return numbers.size();
    }

    /** The number of the next trial; 0 if there is none. */
    int next() {
      int index = goesOn ? taken.getAndIncrement() : numbers.size();
      return index < numbers.size() ? numbers.get(index) : 0;
    }

    /** Counts a finished trial. The caller must hold the lock on this. */
    void over() {
      over++;
      if (!watcher.progress(experiment.name(), over, numbers.size())) {
        goesOn = false;
      }
    }

    void stop() {
      goesOn = false;
    }

    boolean goesOn() {
      return goesOn;
    }

    long seed() {
      return study.parameters().seed();
    }
  }
}
