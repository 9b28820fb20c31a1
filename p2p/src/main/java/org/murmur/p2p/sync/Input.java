package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.wire.Headers;
import org.murmur.p2p.wire.Message;

/** What can happen to the machine. Facts are in the past tense, commands in the imperative. */
public sealed interface Input {

  /**
   * A connection that was asked for stands.
   *
   * @param link which
   * @param at the number and port it leads to; whoever is reached under two names is one peer
   */
  record Connected(Link link, PeerAddress at) implements Input {

    /**
     * A connection to a peer that was named by its number, so that it can have no other.
     *
     * @param link which
     */
    public Connected(Link link) {
      this(link, link.address());
    }
  }

  /**
   * A connection that was asked for did not come about.
   *
   * @param link which
   * @param obstacle what was in the way
   * @param why for people, for instance "connection refused"
   */
  record ConnectFailed(Link link, Obstacle obstacle, String why) implements Input {

    /**
     * A connection that nobody took.
     *
     * @param link which
     * @param why for people
     */
    public ConnectFailed(Link link, String why) {
      this(link, Obstacle.NO_CONNECTION, why);
    }
  }

  /**
   * A connection that was asked for did not come about because of the proxy that it was to go
   * through. That says nothing about the peer.
   *
   * @param link which
   * @param obstacle what was in the way
   * @param why for people; names the proxy
   */
  record ProxyFailed(Link link, Obstacle obstacle, String why) implements Input {}

  /**
   * The other side closed, or the network did. Not sent for a disconnect the machine ordered.
   *
   * @param link which
   * @param why for people
   */
  record Disconnected(Link link, String why) implements Input {}

  /**
   * A message came.
   *
   * @param link from whom
   * @param message what
   * @param wireBytes its size with the frame's header
   */
  record Received(Link link, Message message, int wireBytes) implements Input {}

  /**
   * A batch of headers has come and will be handed over by {@link Received} next, before anything
   * else. A shell may leave this out; told beforehand, the machine can ask on before it checks.
   *
   * @param link from whom
   * @param headers what
   */
  record HeadersComing(Link link, Headers headers) implements Input {}

  /**
   * Bytes came that are no message; after its hello that is the peer's fault.
   *
   * @param link from whom
   * @param obstacle what they say of whoever has not said hello: {@link Obstacle#STRANGE} if they
   *     are of another network, else {@link Obstacle#NO_NODE}
   * @param why the decoder's words
   */
  record Garbled(Link link, Obstacle obstacle, String why) implements Input {

    /**
     * Bytes that are of no known network.
     *
     * @param link from whom
     * @param why the decoder's words
     */
    public Garbled(Link link, String why) {
      this(link, Obstacle.NO_NODE, why);
    }
  }

  /**
   * An exception that nobody expected came out of handling what a peer sent: the peer goes, and
   * what it served is taken back, for the step that failed may have taken half of it. The fault is
   * Murmur's.
   *
   * @param link whose input it was
   * @param why the exception, in a line
   */
  record Failed(Link link, String why) implements Input {}

  /**
   * A message was announced that is larger than its command can be; it was not read. The peer's
   * fault.
   *
   * @param link from whom
   * @param why the decoder's words
   */
  record Oversized(Link link, String why) implements Input {}

  /**
   * A name was looked up.
   *
   * @param name as it was asked for
   * @param addresses what it stands for, with the port that was asked for
   */
  record LookedUp(String name, List<PeerAddress> addresses) implements Input {
    /** Copies the list. */
    public LookedUp {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * A name could not be looked up.
   *
   * @param name as it was asked for
   * @param why for people
   */
  record LookUpFailed(String name, String why) implements Input {}

  /**
   * The clock does not show what has passed: it was set, the computer slept, or the process was
   * stopped for a while. The time given with this input and all later ones is the new one.
   *
   * @param by by how much the clock gained on the time in which this end could hear and speak;
   *     negative if it was set back
   */
  record TimeJumped(Duration by) implements Input {}

  /** The time asked for has come (or any other; ticks are harmless). */
  record Tick() implements Input {}

  /**
   * The element log grew, or births and ends of elements in it became known.
   *
   * @param from index of the first new element, the log's length before
   * @param added new elements in order
   * @param replaced elements already in the log with a new birth or end; their data stays
   */
  record WatchSetChanged(int from, List<Element> added, List<Replacement> replaced)
      implements Input {
    /** Copies the lists. */
    public WatchSetChanged {
      added = List.copyOf(added);
      replaced = List.copyOf(replaced);
    }
  }

  /**
   * An element's new state.
   *
   * @param index where in the log
   * @param element the same data, other birth or end
   */
  record Replacement(int index, Element element) {}

  /**
   * A batch is on disk.
   *
   * @param sequence the batch's
   * @param relevantTransactions how many of the batch's transactions were the wallet's
   * @param pending all transactions that the wallet now counts as pending, each once
   */
  record Committed(long sequence, int relevantTransactions, Collection<Pending> pending)
      implements Input {
    /** Copies the collection. */
    public Committed {
      pending = List.copyOf(pending);
    }
  }

  /**
   * A transaction that waits for a block.
   *
   * @param tx the transaction
   * @param firstSeen when the wallet first saw it, seconds since 1970
   * @param heard whether a peer is known to have accepted it; false while only the user sent it
   * @param unmined whether a block held it that left the chain while this wallet was open
   */
  record Pending(Tx tx, long firstSeen, boolean heard, boolean unmined) {

    /**
     * What was seen later than this may not have reached a peer yet: broadcasts go to others, and
     * from node to node in pauses of seconds each.
     */
    public static final Duration YOUNG = Duration.ofMinutes(10);

    /**
     * Returns whether it is on its way still; one from the future was seen under a clock that ran
     * ahead.
     *
     * @param clock what time it is
     * @return whether a peer's denial of it proves little
     */
    public boolean isYoung(Instant clock) {
      Duration age = Duration.between(Instant.ofEpochSecond(firstSeen), clock);
      return age.abs().compareTo(YOUNG) < 0;
    }
  }

  /**
   * Send a transaction to the peers.
   *
   * @param tx signed, with witness data
   * @param fee what it pays, in satoshi; empty if that is not known. Peers that relay nothing so
   *     cheap (BIP-0133) are not told of it, and that is said
   */
  record BroadcastTx(Tx tx, OptionalLong fee) implements Input {

    /**
     * Sends one whose fee is not known.
     *
     * @param tx signed, with witness data
     */
    public BroadcastTx(Tx tx) {
      this(tx, OptionalLong.empty());
    }
  }

  /**
   * Forget what was scanned from here on and ask again.
   *
   * @param from where to begin
   */
  record RescanFrom(Birthday from) implements Input {}

  /** As many bytes were read as {@link Machine#mostToRead} allows; no more will be. */
  record LimitReached() implements Input {}

  /** Commit what is there, say goodbye, end. */
  record Stop() implements Input {}
}
