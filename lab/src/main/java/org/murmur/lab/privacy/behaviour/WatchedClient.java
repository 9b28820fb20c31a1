package org.murmur.lab.privacy.behaviour;

import java.io.IOException;
import java.util.Collection;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.RegtestNode;

/** A real client on a real connection to our embedded nodes, at each of which a judge sits. */
interface WatchedClient extends AutoCloseable {

  /** The node that has the client's scripts; its chain has coins that can be spent. */
  RegtestNode node();

  /** Who sits there. */
  Judge judge();

  /** What is done to it. */
  Provocation provocation();

  /** The script of a key of the client that was not used before. */
  Bytes freshScript();

  /**
   * Waits until the client has the node's last block.
   *
   * @throws InterruptedException if it was interrupted
   * @throws IllegalStateException if it is connected and does not get there
   */
  void awaitTip() throws InterruptedException;

  /**
   * Waits until the client's own threads have done what they were told because of it.
   *
   * @return false if there was nothing to wait for
   * @throws InterruptedException if it was interrupted
   * @throws IOException if they do not come to an end
   */
  boolean awaitThreads() throws InterruptedException, IOException;

  /**
   * Waits until it has sent what it wants to send because of the last block.
   *
   * @param judges who tell what it was, at all of its nodes
   * @throws InterruptedException if it was interrupted
   * @throws IOException if its threads do not come to an end
   * @throws IllegalStateException if it is gone: who is silent because he is dead betrays nothing
   */
  default void settle(Collection<Judge> judges) throws InterruptedException, IOException {
    awaitTip();
    // What it was sent, it has read; then its other threads; then what these have sent is here.
    settleWith(judges);
    if (awaitThreads()) {
      settleWith(judges);
    }
  }

  private void settleWith(Collection<Judge> judges) throws InterruptedException {
    for (Judge judge : judges) {
      if (!judge.settle()) {
        throw new IllegalStateException(
            "the client is gone, so nothing can be said of it" + farewell());
      }
    }
  }

  /** What the client said when it left a peer, as far as it says such things; else empty. */
  default String farewell() {
    return "";
  }

  @Override
  void close();
}
