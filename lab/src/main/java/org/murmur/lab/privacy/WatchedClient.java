package org.murmur.lab.privacy;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.RegtestNode;

/** A real client on a real connection to our embedded node, which keeps what it is shown. */
interface WatchedClient extends AutoCloseable {

  /** What a client did after a block. */
  enum Reaction {
    NOTHING("nothing"),
    SAME_AGAIN("filterload, same bytes"),
    ANOTHER("filterload, other bytes"),
    ADDED("filteradd");

    private final String title;

    Reaction(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /** After this long without a filter a client is taken to send none. */
  Duration SILENCE = Duration.ofSeconds(2);

  /** The node, with a chain from which coins can be spent. */
  RegtestNode node();

  /** The script of a key of the client that was not used before. */
  Bytes freshScript();

  /**
   * Waits until the client has the node's last block.
   *
   * @throws InterruptedException if it was interrupted
   * @throws IllegalStateException if it is connected and does not get there
   */
  void awaitTip() throws InterruptedException;

  /** Whether the node still has a connection. */
  default boolean isConnected() {
    return node().connections() > 0;
  }

  /**
   * Refuses to go on with a client that is gone: who is silent because he is dead betrays nothing.
   *
   * @throws IllegalStateException if the node has no connection
   */
  default void requireConnected() {
    if (!isConnected()) {
      throw new IllegalStateException("the client is gone, so nothing can be said of it");
    }
  }

  /**
   * Waits until it has sent what it wants to send because of the last block.
   *
   * @param filters how many filters it had sent before
   * @param elements how many elements it had named before
   * @return what it did
   * @throws InterruptedException if it was interrupted
   */
  default Reaction reaction(int filters, int elements) throws InterruptedException {
    awaitTip();
    requireConnected();
    await(
        SILENCE,
        () -> node().filtersShown().size() > filters || node().elementsShown().size() > elements);
    requireConnected();
    if (node().elementsShown().size() > elements) {
      return Reaction.ADDED;
    }
    List<BloomFilter> now = node().filtersShown();
    if (now.size() == filters) {
      return Reaction.NOTHING;
    }
    return now.get(now.size() - 1).equals(now.get(filters - 1))
        ? Reaction.SAME_AGAIN
        : Reaction.ANOTHER;
  }

  /** Looks again and again; there is nobody to wake us from inside other people's code. */
  static boolean await(Duration limit, BooleanSupplier reached) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.sleep(5);
    }
    return true;
  }

  @Override
  void close();
}
