package org.murmur.p2p.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.PeerAddress;

/**
 * What the user may want to know while it happens. Facts, as data; the wallet adds payments to
 * them.
 */
public sealed interface SyncEvent {

  /**
   * How far it is. Emitted at most a few times a second.
   *
   * @param headers height of the best header chain
   * @param target the highest height any peer claims, at least {@code headers}
   * @param scanned blocks scanned and committed in this session
   * @param toScan blocks still to be scanned, as far as headers are known
   * @param bytesReceived in this session, from all peers
   */
  record Progress(int headers, int target, int scanned, int toScan, long bytesReceived)
      implements SyncEvent {}

  /**
   * The limit of bytes is reached, or what would be asked next is more than it allows; the machine
   * stops.
   */
  record BudgetSpent() implements SyncEvent {}

  /**
   * A peer said hello.
   *
   * @param address who
   * @param userAgent its words
   * @param services its service bits
   * @param height its height as it said
   */
  record PeerReady(PeerAddress address, String userAgent, long services, int height)
      implements SyncEvent {}

  /**
   * A peer is gone.
   *
   * @param address who
   * @param reason why, if the machine dropped it; {@link DisconnectReason#DONE} if it left
   * @param detail for people
   */
  record PeerLost(PeerAddress address, DisconnectReason reason, String detail)
      implements SyncEvent {}

  /**
   * A peer is left alone because of what it did before; it will be called if nobody else is left.
   *
   * @param address who
   * @param reason what it did
   * @param until when it will be called again
   */
  record PeerInBackOff(PeerAddress address, DisconnectReason reason, Instant until)
      implements SyncEvent {}

  /**
   * A peer served headers that were new.
   *
   * @param address who
   * @param count how many
   */
  record HeadersServed(PeerAddress address, int count) implements SyncEvent {}

  /**
   * Nothing more can be done with the peers there are: all are gone or unfit.
   *
   * @param kind what went wrong, the worst of all
   * @param obstacles what was in the way at each peer that was named, in their order, and at the
   *     proxy under the name of the last that was called through it; empty where peers were looked
   *     for and reached, and where there is no guard
   * @param missing which guard is missing; empty unless the kind is {@link Obstacle.Kind#NO_GUARD}
   * @param detail what was in the way, for people; empty if a guard is missing
   */
  record NoUsablePeer(
      Obstacle.Kind kind,
      Map<PeerAddress, Obstacle> obstacles,
      Optional<SyncWarning.MissingGuard> missing,
      String detail)
      implements SyncEvent {
    /** Copies the map. */
    public NoUsablePeer {
      obstacles = Collections.unmodifiableMap(new LinkedHashMap<>(obstacles));
    }

    /**
     * Nobody can be reached, or nobody is of use.
     *
     * @param kind what went wrong
     * @param obstacles what was in the way at whom
     * @param detail the same, for people
     */
    public NoUsablePeer(Obstacle.Kind kind, Map<PeerAddress, Obstacle> obstacles, String detail) {
      this(kind, obstacles, Optional.empty(), detail);
    }

    /**
     * A guard is missing.
     *
     * @param missing which
     */
    public NoUsablePeer(SyncWarning.MissingGuard missing) {
      this(Obstacle.Kind.NO_GUARD, Map.of(), Optional.of(missing), "");
    }
  }

  /**
   * How far a search for peers came: told before {@link NoUsablePeer} where peers were to be found
   * and not named.
   *
   * @param known addresses heard of so far
   * @param called how many different ones were called in this session, names included
   * @param reached at how many of these somebody said hello
   * @param filtering how many of these serve BIP-0037 (NODE_BLOOM)
   * @param seedsAsked DNS seeds that were asked
   * @param seedsAnswered and those that answered with at least one address, or where somebody said
   *     hello through a proxy, by which they are called and not asked
   * @param sharedAddresses how many peers were asked for addresses and sent some
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
   * Every element is covered up to the tip, and it is on disk. Under the private preset a session
   * that does not follow stops at the block that was the tip when it had looked for all scripts; in
   * one that follows, spends of coins that came since the last tick are looked for at the next.
   *
   * @param height the tip's, or that block's
   * @param tip its hash
   */
  record Complete(int height, Hash256 tip) implements SyncEvent {}

  /**
   * The same, but the tip is weeks old on a network that never stands still for so long: whoever
   * said that there is no more hides it or does not know it, or the clock is wrong.
   *
   * @param height the tip's
   * @param tip its hash
   */
  record EndsLongAgo(int height, Hash256 tip) implements SyncEvent {}

  /**
   * The same, but most peers have further headers, which are dated so far ahead that this machine's
   * clock does not let them in: it seems to be behind.
   *
   * @param height the tip's
   * @param tip its hash
   * @param by how far the clock is behind, by what these peers say
   */
  record ClockBehind(int height, Hash256 tip, Duration by) implements SyncEvent {}

  /**
   * A peer does not tell at once what is unconfirmed at it: that is waited for, since its answer
   * has no end.
   *
   * @param peer who
   * @param limit how long from now on, at the most
   */
  record MempoolAwaited(PeerAddress peer, Duration limit) implements SyncEvent {}

  /**
   * The peers' unconfirmed transactions were asked for.
   *
   * @param answer how that went
   */
  record MempoolAnswered(Answer answer) implements SyncEvent {
    /** How much of the mempool was seen. */
    public enum Answer {
      /** The peer answered at once, all that matched came. */
      COMPLETE,
      /** The waiting time ran out; what came by then is there. */
      PARTIAL,
      /** Not asked. */
      SKIPPED
    }
  }

  /**
   * A peer asked for a transaction of ours and was sent it.
   *
   * @param txid which
   * @param peer who
   */
  record TransactionTaken(Hash256 txid, PeerAddress peer) implements SyncEvent {}

  /**
   * A peer handed a transaction back that the user sends: it has accepted it.
   *
   * @param txid which
   * @param peer who
   */
  record TransactionAccepted(Hash256 txid, PeerAddress peer) implements SyncEvent {}

  /**
   * A peer announced a transaction of ours: it has spread.
   *
   * @param txid which
   * @param peer who
   */
  record TransactionAnnounced(Hash256 txid, PeerAddress peer) implements SyncEvent {}

  /**
   * A peer refused a transaction of ours.
   *
   * @param txid which
   * @param peer who
   * @param reason its words
   */
  record TransactionRefused(Hash256 txid, PeerAddress peer, String reason) implements SyncEvent {}

  /**
   * Peers contradict each other about a block, and nobody hands it over to settle it. The session
   * ends.
   *
   * @param height the block's height
   * @param txid a transaction that some tell of and some do not
   * @param peers who: first the one that does not, then those that do
   */
  record Disagreement(int height, Hash256 txid, List<PeerAddress> peers) implements SyncEvent {
    /** Copies the list. */
    public Disagreement {
      peers = List.copyOf(peers);
    }
  }

  /**
   * A whole block was compared with what was told of it: a spot check.
   *
   * @param height the block's
   */
  record SpotChecked(int height) implements SyncEvent {}

  /**
   * All that can be had was had, but not every block was seen by as many peers as were wanted.
   *
   * @param height the tip's
   * @param wanted by how many every block was to be seen
   * @param seen by how many every block was seen at least
   */
  record TooFewCrossChecks(int height, int wanted, int seen) implements SyncEvent {}

  /**
   * A step worth a line in a log: who, what and why. It names no script, no filter's bytes and no
   * transaction of the wallet.
   *
   * @param topic what it is about
   * @param peer who
   * @param text for people
   */
  record Note(Topic topic, PeerAddress peer, String text) implements SyncEvent {
    /** What a note is about. */
    public enum Topic {
      /** A filter was shown, or grew. */
      FILTER,
      /** Unconfirmed transactions were asked for, or are not there any more. */
      UNCONFIRMED,
      /** The peer does not have a block yet, and is waited for. */
      BLOCKS,
      /** The clock was set, or this end was away. */
      TIME,
      /** The peer rejected something (BIP-0061). */
      REJECT,
      /** What fee the peer wants at least (BIP-0133). */
      FEE
    }
  }

  /**
   * Something that the user should know.
   *
   * @param what of which kind, with its data
   */
  record Warning(SyncWarning what) implements SyncEvent {}
}
