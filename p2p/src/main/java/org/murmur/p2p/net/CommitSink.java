package org.murmur.p2p.net;

import java.io.IOException;
import java.util.List;
import org.murmur.p2p.sync.CommitBatch;
import org.murmur.p2p.sync.Input;

/** Where batches are written: the one road to disk. */
@FunctionalInterface
public interface CommitSink {

  /**
   * Writes a batch. Called on the loop's commit thread, one batch after another; it may block as
   * long as the disk does.
   *
   * @param batch everything that changes together
   * @return what the machine must be told, in this order; {@link Input.Committed} among it
   * @throws IOException if it could not be written; that ends the loop
   */
  List<Input> commit(CommitBatch batch) throws IOException;
}
