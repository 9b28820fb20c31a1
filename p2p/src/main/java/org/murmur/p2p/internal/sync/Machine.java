package org.murmur.p2p.internal.sync;

import java.time.Instant;
import java.util.List;

/** The shell drives this: inputs in, outputs out, one at a time, on one thread. */
public interface Machine {

  /**
   * Takes one input.
   *
   * @param now the time, never going back by more than the system clock does
   */
  List<Output> step(Input input, Instant now);

  /**
   * {@return whether the session is over and the shell may close everything that is open; true once
   * and for all}
   */
  boolean isStopped();

  /**
   * {@return how much the shell may read from all peers together, bytes; the same at every call}
   * After that it reads no more, and reports this once by {@link Input.LimitReached}.
   */
  default long mostToRead() {
    return Long.MAX_VALUE;
  }
}
