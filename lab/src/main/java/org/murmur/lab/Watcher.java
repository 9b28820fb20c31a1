package org.murmur.lab;

/** Hears how a run goes. Called by one thread at a time, perhaps not always the same. */
public interface Watcher {

  /** Hears nothing. */
  Watcher NONE = (experiment, done, all) -> true;

  /**
   * A trial is over, or an experiment is about to begin.
   *
   * @param experiment which one
   * @param done how many of its trials are over
   * @param all how many are to be run here
   * @return whether to go on; with false no further trial is begun
   */
  boolean progress(String experiment, int done, int all);
}
