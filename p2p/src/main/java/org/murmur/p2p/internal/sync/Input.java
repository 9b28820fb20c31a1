package org.murmur.p2p.internal.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.WholeScript;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Obstacle;

/** An input of the machine. Facts are in the past tense, commands in the imperative. */
public sealed interface Input {

  /** An event of a connection. None follows the machine's own disconnect. */
  sealed interface OfLink extends Input {

    /** {@return the connection, the link that the machine asked for} */
    Link link();
  }

  /**
   * A peer accepted a requested connection, and owes its part of the handshake that encrypts it. A
   * connection in the clear has none.
   */
  record Accepted(Link link) implements OfLink {}

  /**
   * A requested connection is open: messages can be sent.
   *
   * @param at the IP address and port it leads to; two names with the same one are one peer
   * @param encrypted whether it is encrypted (BIP-0324)
   */
  record Connected(Link link, NodeAddress at, boolean encrypted) implements OfLink {

    /**
     * A connection in the clear to a peer named by its IP address, so that no other address is
     * possible.
     */
    public Connected(Link link) {
      this(link, link.address(), false);
    }
  }

  /**
   * A requested connection failed.
   *
   * @param why for people, for instance "connection refused"
   */
  record ConnectFailed(Link link, Obstacle obstacle, String why) implements OfLink {

    /** A connection that was not accepted. */
    public ConnectFailed(Link link, String why) {
      this(link, Obstacle.NO_CONNECTION, why);
    }
  }

  /**
   * A requested connection failed because of its proxy. That proves nothing about the peer.
   *
   * @param why for people; names the proxy
   */
  record ProxyFailed(Link link, Obstacle obstacle, String why) implements OfLink {}

  /**
   * The other side or the network closed the connection. Not sent for a disconnect that the machine
   * ordered.
   */
  record Disconnected(Link link, String why) implements OfLink {}

  /**
   * A message came.
   *
   * @param wireBytes its size in bytes, with the frame's header
   */
  record Received(Link link, Message message, int wireBytes) implements OfLink {}

  /**
   * A batch of headers has come; {@link Received} delivers it next, before anything else. A shell
   * may leave this out. With it, the machine can request more before it checks these.
   */
  record HeadersComing(Link link, Headers headers) implements OfLink {}

  /**
   * Bytes came that are no message: their magic, command, length or checksum is wrong. A byte that
   * is damaged on the way does so, too, so it is nobody's fault until it happens again.
   *
   * @param obstacle the obstacle if the version handshake is not complete: {@link
   *     Obstacle#OTHER_NETWORK} for bytes of another network, else {@link Obstacle#NO_NODE}
   */
  record Garbled(Link link, Obstacle obstacle, String why) implements OfLink {

    /** Bytes that are of no known network. */
    public Garbled(Link link, String why) {
      this(link, Obstacle.NO_NODE, why);
    }
  }

  /**
   * A message came whose checksum is right and whose content breaks the protocol. The peer's fault.
   */
  record Malformed(Link link, String why) implements OfLink {}

  /**
   * Handling a peer's message threw an unexpected exception. The peer is dropped and its results
   * are taken back, since the failed step may have applied half of them. The fault is Murmur's.
   */
  record Failed(Link link, String why) implements OfLink {}

  /**
   * A peer announced a message larger than its command allows; it was not read. A byte that is
   * damaged on the way does so, too.
   */
  record Oversized(Link link, String why) implements OfLink {}

  /**
   * A name was looked up.
   *
   * @param addresses its addresses, with the requested port
   */
  record LookedUp(String name, List<NodeAddress> addresses) implements Input {
    /** Copies the list. */
    public LookedUp {
      addresses = List.copyOf(addresses);
    }
  }

  /** A name could not be looked up. */
  record LookUpFailed(String name, String why) implements Input {}

  /**
   * The clock jumped: it was set, the computer slept, or the process was stopped for a while. This
   * input and all later ones carry the new time.
   */
  record TimeJumped(Duration by) implements Input {}

  /**
   * This machine may have another network than before, as a phone that leaves a tunnel: pauses
   * before calls are over, and every peer is pinged.
   */
  record RetryNow() implements Input {}

  /** The requested time has come (or any other; ticks are harmless). */
  record Tick() implements Input {}

  /**
   * The element log grew, or births and ends of its elements became known.
   *
   * @param from index of the first new element: the log's length before
   * @param added new elements in order
   * @param replaced elements already in the log with a new birth or end; their data stays
   * @param scripts the whole scripts among the new elements
   */
  record WatchSetChanged(
      int from, List<Element> added, List<Replacement> replaced, List<WholeScript> scripts)
      implements Input {
    /** Copies the lists. */
    public WatchSetChanged {
      added = List.copyOf(added);
      replaced = List.copyOf(replaced);
      scripts = List.copyOf(scripts);
    }
  }

  /**
   * An element's new state.
   *
   * @param element the same data, other birth or end
   */
  record Replacement(int index, Element element) {}

  /**
   * A batch is on disk.
   *
   * @param sequence the batch's number
   * @param relevantTransactions how many of the batch's transactions were the wallet's
   * @param pending all transactions that the wallet now counts as pending, each once
   * @param refused txids of the batch's unconfirmed transactions that spend a coin of the wallet
   *     without a right signature
   */
  record Committed(
      long sequence,
      int relevantTransactions,
      Collection<Pending> pending,
      Collection<Hash256> refused)
      implements Input {
    /** Copies the collections. */
    public Committed {
      pending = List.copyOf(pending);
      refused = List.copyOf(refused);
    }

    /** Nothing was refused. */
    public Committed(long sequence, int relevantTransactions, Collection<Pending> pending) {
      this(sequence, relevantTransactions, pending, List.of());
    }
  }

  /**
   * The user changed the wallet's pending transactions: signed a payment, or abandoned one. That is
   * on disk, apart from the batches.
   *
   * @param pending all transactions that the wallet now counts as pending, each once
   */
  record PendingChanged(Collection<Pending> pending) implements Input {
    /** Copies the collection. */
    public PendingChanged {
      pending = List.copyOf(pending);
    }
  }

  /**
   * A transaction that waits for a block.
   *
   * @param firstSeen when the wallet first saw it, seconds since 1970
   * @param heard whether a peer is known to have it
   * @param sent whether the user sent it: it is announced again until a block holds it
   * @param unmined whether a block that held it was disconnected while this wallet was open
   */
  record Pending(Tx tx, long firstSeen, boolean heard, boolean sent, boolean unmined) {

    /**
     * A younger transaction may not have reached a peer yet: nodes relay with pauses of seconds
     * each.
     */
    public static final Duration YOUNG = Duration.ofMinutes(10);

    /**
     * Returns whether it may still be spreading. A first-seen time in the future comes from a clock
     * that ran ahead.
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
   * @param fee its fee in satoshi; empty if unknown. Peers with a higher fee filter (BIP-0133) are
   *     skipped, and an event reports it
   */
  record BroadcastTx(Tx tx, OptionalLong fee) implements Input {

    /** Sends a transaction of unknown fee. */
    public BroadcastTx(Tx tx) {
      this(tx, OptionalLong.empty());
    }
  }

  /** Forget the scan from here on and scan again. */
  record RescanFrom(Birthday from) implements Input {}

  /** The shell has read as many bytes as {@link Machine#mostToRead} allows, and reads no more. */
  record LimitReached() implements Input {}

  /** Commit the open batch, close the connections, end. */
  record Stop() implements Input {}
}
