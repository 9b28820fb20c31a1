package org.murmur.lab.privacy.behaviour;

import java.io.IOException;
import java.util.Collection;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.RegtestNode;

/** A real client on a real connection to our embedded nodes, with a judge at each node. */
interface WatchedClient extends AutoCloseable {

  /** The node that has the client's scripts; its chain has coins that can be spent. */
  RegtestNode node();

  Judge judge();

  Provocation provocation();

  /** The script of an unused key of the client. */
  Bytes freshScript();

  /**
   * Waits until the client has the node's last block. Throws {@link IllegalStateException} if it is
   * connected and does not get there.
   */
  void awaitTip() throws InterruptedException;

  /**
   * Waits until the client's own threads have finished their jobs for that block; false if there
   * was nothing to wait for. Throws {@link IOException} if they do not finish in time.
   */
  boolean awaitThreads() throws InterruptedException, IOException;

  /**
   * Waits until it has sent all its messages about the last block to the judges at all of its
   * nodes. Throws {@link IOException} if its threads do not finish in time, and {@link
   * IllegalStateException} if it has disconnected: a dead client's silence proves nothing.
   */
  default void settle(Collection<Judge> judges) throws InterruptedException, IOException {
    awaitTip();
    // First the client reads its messages, then its threads finish, then their messages arrive
    // here.
    settleWith(judges);
    if (awaitThreads()) {
      settleWith(judges);
    }
  }

  private void settleWith(Collection<Judge> judges) throws InterruptedException {
    for (Judge judge : judges) {
      if (!judge.settle()) {
        throw new IllegalStateException("the client is gone, so there is no result" + farewell());
      }
    }
  }

  /** The client's reason for leaving a peer, if it gives one; else empty. */
  default String farewell() {
    return "";
  }

  @Override
  void close();
}
