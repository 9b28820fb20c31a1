package org.murmur.lab;

/** Receives the progress of a run. Called by one thread at a time, not always the same one. */
public interface Watcher {

  /** Ignores the progress. */
  Watcher NONE = (experiment, done, all) -> true;

  /**
   * Called after each trial, and before each experiment.
   *
   * @param all the number of trials to run here
   * @return whether to go on; after false no further trial starts
   */
  boolean progress(String experiment, int done, int all);
}
