package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.wire.Message;

/**
 * Events that may interest the user as they happen. They are facts, as data; the wallet adds
 * payments.
 */
public sealed interface SyncEvent {

  /**
   * The progress so far. Emitted at most a few times a second.
   *
   * @param headers height of the best header chain
   * @param target the highest height any peer claims, at least {@code headers}
   * @param scanned blocks scanned and committed in this session
   * @param toScan blocks still to be scanned, as far as headers are known
   * @param bytesReceived in this session, from all peers
   */
  record Progress(int headers, int target, int scanned, int toScan, long bytesReceived)
      implements SyncEvent {}

  /** The byte limit is reached, or the next request could exceed it; the machine stops. */
  record BudgetSpent() implements SyncEvent {}

  /**
   * A peer completed the version handshake.
   *
   * @param address the peer
   * @param userAgent as it announced
   * @param services its service bits
   * @param height its height as it announced
   */
  record PeerReady(NodeAddress address, String userAgent, long services, int height)
      implements SyncEvent {}

  /**
   * A peer is gone.
   *
   * @param address the peer
   * @param reason why the machine dropped it; {@link DisconnectReason#DONE} if it left
   * @param detail for people
   */
  record PeerLost(NodeAddress address, DisconnectReason reason, String detail)
      implements SyncEvent {}

  /**
   * A peer is discouraged for earlier misbehaviour; it is called if no other peer is left.
   *
   * @param address the peer
   * @param reason its misbehaviour
   * @param until the time from which it is called again
   */
  record PeerInBackOff(NodeAddress address, DisconnectReason reason, Instant until)
      implements SyncEvent {}

  /**
   * A peer served new headers.
   *
   * @param address the peer
   * @param count how many
   */
  record HeadersServed(NodeAddress address, int count) implements SyncEvent {}

  /**
   * The session cannot go on with these peers: all are gone or unfit.
   *
   * @param kind the worst obstacle of all
   * @param obstacles the obstacle at each named peer, in their order, and at the proxy under the
   *     name of the last peer called through it; empty if peers were discovered and reached, and if
   *     a guard is missing
   * @param missing the missing guard; empty unless the kind is {@link Obstacle.Kind#NO_GUARD}
   * @param detail the obstacles, for people; empty if a guard is missing
   */
  record NoUsablePeer(
      Obstacle.Kind kind,
      Map<NodeAddress, Obstacle> obstacles,
      Optional<SyncWarning.MissingGuard> missing,
      String detail)
      implements SyncEvent {
    /** Copies the map. */
    public NoUsablePeer {
      obstacles = Collections.unmodifiableMap(new LinkedHashMap<>(obstacles));
    }

    /**
     * No peer can be reached, or none is of use.
     *
     * @param kind the worst obstacle
     * @param obstacles the obstacle at each peer
     * @param detail the same, for people
     */
    public NoUsablePeer(Obstacle.Kind kind, Map<NodeAddress, Obstacle> obstacles, String detail) {
      this(kind, obstacles, Optional.empty(), detail);
    }

    /**
     * A guard is missing.
     *
     * @param missing the missing guard
     */
    public NoUsablePeer(SyncWarning.MissingGuard missing) {
      this(Obstacle.Kind.NO_GUARD, Map.of(), Optional.of(missing), "");
    }
  }

  /**
   * The result of a search for peers: emitted before {@link NoUsablePeer} if peers were discovered
   * and not named.
   *
   * @param known addresses known so far
   * @param called how many different addresses were called in this session, names included
   * @param reached how many of these completed the version handshake
   * @param filtering how many of these serve BIP-0037 (NODE_BLOOM)
   * @param seedsAsked DNS seeds that were queried
   * @param seedsAnswered those that answered with at least one address; behind a proxy, where seeds
   *     are called and not queried, those that completed the version handshake
   * @param sharedAddresses how many peers sent addresses on request
   */
  record PeerSearch(
      int known,
      int called,
      int reached,
      int filtering,
      int seedsAsked,
      int seedsAnswered,
      int sharedAddresses)
      implements SyncEvent {}

  /**
   * Every element is covered up to the tip, and the scan is on disk. Under the private preset, a
   * one-off session stops at the block that was the tip when its scan for all scripts ended. A
   * session that follows scans for spends of newer coins at the next tick.
   *
   * @param height the height of the tip, or of that block
   * @param tip its hash
   */
  record Complete(int height, Hash256 tip) implements SyncEvent {}

  /**
   * As {@link Complete}, but the tip is weeks old, and this network never pauses for so long. The
   * peers hide newer blocks or do not know them, or the clock is wrong.
   *
   * @param height the tip's height
   * @param tip its hash
   */
  record EndsLongAgo(int height, Hash256 tip) implements SyncEvent {}

  /**
   * As {@link Complete}, but most peers have further headers, dated too far ahead of this
   * computer's clock to be valid. The clock seems to be behind.
   *
   * @param height the tip's height
   * @param tip its hash
   * @param by how far the clock is behind, according to these peers
   */
  record ClockBehind(int height, Hash256 tip, Duration by) implements SyncEvent {}

  /**
   * The state known now: it changed. A payment of another copy of the wallet is in it.
   *
   * @param scanned whether all that connected peers have of the chain is seen and on disk
   * @param asked connected peers that were asked for their memory pools, on this connection
   * @param told those of them whose pools are known and on disk: they answered, and announce what
   *     comes since then
   */
  record Standing(boolean scanned, Set<NodeAddress> asked, Set<NodeAddress> told)
      implements SyncEvent {

    /** At the beginning, and without any peer. */
    public static final Standing NOTHING = new Standing(false, Set.of(), Set.of());

    /** Copies the sets, in their order: a trace is the same in every process. */
    public Standing {
      asked = Collections.unmodifiableSet(new LinkedHashSet<>(asked));
      told = Collections.unmodifiableSet(new LinkedHashSet<>(told));
    }

    /**
     * Returns whether nothing is awaited from the memory pools.
     *
     * @return true if one was asked at least, and all that were asked announced their pools
     */
    public boolean isAllTold() {
      return !asked.isEmpty() && told.containsAll(asked);
    }
  }

  /**
   * A peer does not answer {@code mempool} at once. The machine waits for a fixed time, since the
   * answer has no end mark.
   *
   * @param peer the peer
   * @param limit the longest wait from now on
   */
  record MempoolAwaited(NodeAddress peer, Duration limit) implements SyncEvent {}

  /**
   * The query for the peers' unconfirmed transactions ended.
   *
   * @param answer how much was seen
   */
  record MempoolAnswered(Answer answer) implements SyncEvent {
    /** How much of the mempool was seen. */
    public enum Answer {
      /** The peer answered at once, and all matches came. */
      COMPLETE,
      /** The waiting time ran out; everything received by then is kept. */
      PARTIAL,
      /** Not requested. */
      SKIPPED
    }
  }

  /**
   * A peer requested a transaction of ours, and we sent it.
   *
   * @param txid the transaction
   * @param peer the peer
   */
  record TransactionTaken(Hash256 txid, NodeAddress peer) implements SyncEvent {}

  /**
   * A peer served a transaction that the user sends: it has accepted it.
   *
   * @param txid the transaction
   * @param peer the peer
   */
  record TransactionAccepted(Hash256 txid, NodeAddress peer) implements SyncEvent {}

  /**
   * A payment of an earlier session was announced to a peer.
   *
   * @param txid the transaction
   * @param peer the peer
   */
  record TransactionOffered(Hash256 txid, NodeAddress peer) implements SyncEvent {}

  /**
   * A peer announced a transaction of ours that it did not learn of from us: it has spread.
   *
   * @param txid the transaction
   * @param peer the peer
   */
  record TransactionAnnounced(Hash256 txid, NodeAddress peer) implements SyncEvent {}

  /**
   * A peer refused a transaction of ours.
   *
   * @param txid the transaction
   * @param peer the peer
   * @param reason its words
   */
  record TransactionRefused(Hash256 txid, NodeAddress peer, String reason) implements SyncEvent {}

  /**
   * Peers contradict each other about a block, and no peer serves the whole block to settle it. The
   * session ends.
   *
   * @param height the block's height
   * @param txid a transaction that some peers served and others did not
   * @param peers first the peer that did not serve it, then those that did
   */
  record Disagreement(int height, Hash256 txid, List<NodeAddress> peers) implements SyncEvent {
    /** Copies the list. */
    public Disagreement {
      peers = List.copyOf(peers);
    }
  }

  /**
   * A whole block was compared with the served matches: a spot check.
   *
   * @param height the block's
   */
  record SpotChecked(int height) implements SyncEvent {}

  /**
   * The scan ended, but fewer peers than requested saw some block.
   *
   * @param height the tip's
   * @param wanted how many peers were to see every block
   * @param seen how many peers saw every block, at least
   */
  record TooFewCrossChecks(int height, int wanted, int seen) implements SyncEvent {}

  /**
   * A whole block near the tip came, as the settings wanted it.
   *
   * @param height its height
   * @param block checked against its header, which is in the chain, with its witness data
   */
  record RecentBlock(int height, FullBlock block) implements SyncEvent {}

  /**
   * A peer said what it relays (BIP-0133). Nothing proves it.
   *
   * @param peer the peer
   * @param satPerKvb the least fee rate in satoshi per 1,000 virtual bytes; any value
   */
  record LeastFeeRate(NodeAddress peer, long satPerKvb) implements SyncEvent {

    /**
     * Returns whether it takes no transaction at all, so that this is no fee rate.
     *
     * @return true while the peer downloads blocks
     */
    public boolean takesNothing() {
      return new Message.FeeFilter(satPerKvb).wantsNothing();
    }
  }

  /**
   * A step worth a log line. It contains no script, no filter's bytes and no transaction of the
   * wallet.
   *
   * @param topic what it is about
   * @param peer the peer
   * @param text for people
   */
  record Note(Topic topic, NodeAddress peer, String text) implements SyncEvent {
    /** The topics of notes. */
    public enum Topic {
      /** A filter was sent, or grew. */
      FILTER,
      /** Unconfirmed transactions were requested, or are gone. */
      UNCONFIRMED,
      /** The peer does not have a block yet; the machine waits for it. */
      BLOCKS,
      /** The clock was set, or this computer was asleep. */
      TIME,
      /** The peer rejected something (BIP-0061). */
      REJECT,
      /** The peer's fee filter (BIP-0133). */
      FEE
    }
  }

  /**
   * A warning to the user.
   *
   * @param what the kind of warning, with its data
   */
  record Warning(SyncWarning what) implements SyncEvent {}
}
