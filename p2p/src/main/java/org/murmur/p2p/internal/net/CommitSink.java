package org.murmur.p2p.internal.net;

import java.io.IOException;
import java.util.List;
import org.murmur.p2p.internal.sync.CommitBatch;
import org.murmur.p2p.internal.sync.Input;

/** Writes commit batches to disk. */
@FunctionalInterface
public interface CommitSink {

  /**
   * Writes a batch. Called on the loop's commit thread, one batch after another; it may block as
   * long as the disk does.
   *
   * @return inputs for the machine, in this order, including {@link Input.Committed}
   * @throws IOException if the write failed; this ends the loop
   */
  List<Input> commit(CommitBatch batch) throws IOException;
}
