package org.murmur.lab;

/** Receives the progress of a run. Called by one thread at a time, not always the same one. */
public interface Watcher {

  Watcher NONE = (experiment, done, all) -> true;

  /**
   * Called after each trial that runs here, and before each experiment. Returns whether to go on;
   * after false no further trial starts.
   */
  boolean progress(String experiment, int done, int all);
}
