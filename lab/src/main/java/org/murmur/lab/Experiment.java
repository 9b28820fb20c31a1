package org.murmur.lab;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A question that trials answer: a pure function of a seed and the parameters it was made from. */
public interface Experiment {

  /** Receives the rows that one trial observes. */
  @FunctionalInterface
  interface Rows {

    /**
     * Adds a row.
     *
     * @param values one value for each column of the experiment; null if not known
     */
    void add(@Nullable Object... values);
  }

  /**
   * Returns the name. File names and random numbers depend on it.
   *
   * @return lower case and dashes, unique in the study
   */
  String name();

  /** Returns the columns of a trial's rows. The study puts a column {@code trial} before them. */
  List<Column> columns();

  /**
   * Returns the number of trials.
   *
   * @return at least 1
   */
  int trials();

  /**
   * Returns the numbers that are in force and that no parameter of the study changes. Results
   * record them, so that a reader need not search the code.
   *
   * @return names and values; the same for the same code and parameters
   */
  default Parameters constants() {
    return Parameters.none();
  }

  /**
   * Returns whether its trials must run one after another and alone on the machine, because they
   * measure time.
   *
   * @return false if {@link #observe} may be called by several threads at once
   */
  default boolean alone() {
    return false;
  }

  /**
   * Runs one trial. All random numbers come from the trial. The experiment makes shared data from
   * {@link Trial#common}.
   *
   * @throws IOException if an experiment needs the network or a disk, and that failed
   * @throws InterruptedException if the thread was interrupted
   */
  void observe(Trial trial, Rows rows) throws IOException, InterruptedException;

  /**
   * Concludes from the observations alone. State kept from the trials must not count, so that a
   * merge gives the same result.
   *
   * @param observed the rows of some trials, in order of their numbers; may be empty
   */
  Section conclude(Table observed);
}
