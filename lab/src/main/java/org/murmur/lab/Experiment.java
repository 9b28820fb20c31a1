package org.murmur.lab;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A question that trials answer: a pure function of a seed and the parameters it was made from. */
public abstract class Experiment {

  /** Receives the rows that one trial observes. */
  @FunctionalInterface
  public interface Rows {

    /** Adds a row of one value for each column of the experiment; null if not known. */
    void add(@Nullable Object... values);
  }

  private final String name;
  private final int trials;
  private final List<Column> columns;

  /**
   * Makes an experiment.
   *
   * @param name in lower case and dashes and unique in the study. File names and random numbers
   *     depend on it
   * @param trials the number of trials, at least 1
   * @param columns the columns of a trial's rows, as for {@link Column#list}. The study puts one of
   *     the trial's number before them
   */
  protected Experiment(String name, int trials, String columns) {
    this.name = name;
    this.trials = trials;
    this.columns = Column.list(columns);
  }

  public final String name() {
    return name;
  }

  public final List<Column> columns() {
    return columns;
  }

  public final int trials() {
    return trials;
  }

  /**
   * Returns the numbers that are in force and that no parameter of the study changes: the same for
   * the same code and parameters. Results record them, so that a reader need not search the code.
   */
  public Parameters constants() {
    return Parameters.none();
  }

  /**
   * Returns whether its trials must run one after another and alone on the machine, because they
   * measure time. Otherwise {@link #observe} may be called by several threads at once.
   */
  public boolean alone() {
    return false;
  }

  /** Runs one trial. All random numbers come from the trial. */
  public abstract void observe(Trial trial, Rows rows) throws IOException, InterruptedException;

  /**
   * Concludes from the observations alone: the rows of some trials, perhaps of none, in order of
   * their numbers. State kept from the trials must not count, so that a merge gives the same
   * result.
   */
  public abstract Section conclude(Table observed);
}
