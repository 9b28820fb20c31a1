package org.murmur.lab;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One question that trials answer: a pure function of its parameters, which it was made from, and a
 * seed.
 */
public interface Experiment {

  /** Takes the rows that one trial observes. */
  @FunctionalInterface
  interface Rows {

    /**
     * Adds a row.
     *
     * @param values one for each of the experiment's columns; null for one that is not known
     */
    void add(@Nullable Object... values);
  }

  /**
   * Returns the name, of which the random numbers depend and by which files are named.
   *
   * @return lower case and dashes, the only one of this name in its study
   */
  String name();

  /**
   * Returns what a trial's rows have. A column {@code trial} is put before them.
   *
   * @return the columns
   */
  List<Column> columns();

  /**
   * Returns how many trials there are.
   *
   * @return at least 1
   */
  int trials();

  /**
   * Returns whether its trials must be run one after another with nothing beside them, because they
   * measure time.
   *
   * @return false if {@link #observe} may be called by several threads at once
   */
  default boolean alone() {
    return false;
  }

  /**
   * Runs one trial. Everything random comes from the trial; what trials share is made by the
   * experiment from {@link Trial#common}.
   *
   * @param trial which one
   * @param rows takes what was observed
   * @throws IOException if the outside world failed, in experiments that need it
   * @throws InterruptedException if it was interrupted
   */
  void observe(Trial trial, Rows rows) throws IOException, InterruptedException;

  /**
   * Concludes from observations, and from nothing else that was seen during the trials, so that a
   * merge concludes the same.
   *
   * @param observed of some trials, in order of their numbers; perhaps of none
   * @return what it means
   */
  Section conclude(Table observed);
}
