package org.murmur.p2p.sync;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.merkle.FullBlock;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.wire.Message;

/** Facts for the program that runs the machine. A wallet's listener gets none of them. */
public sealed interface SyncFact extends SyncEvent {

  /** The byte limit is reached, or the next request could exceed it; the machine stops. */
  record BudgetSpent() implements SyncFact {}

  /**
   * A peer served new headers.
   *
   * @param address the peer
   * @param count how many
   */
  record HeadersServed(NodeAddress address, int count) implements SyncFact {}

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
      implements SyncFact {
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
   * @param filtering how many of these serve what the preset needs: BIP-0037 (NODE_BLOOM), or
   *     BIP-0157
   * @param compact how many of these serve filters of blocks (BIP-0157, NODE_COMPACT_FILTERS)
   * @param seedsAsked DNS seeds that were queried
   * @param seedsAnswered those that answered with at least one address; behind a proxy, where seeds
   *     are called and not queried, those that completed the version handshake
   * @param entryNodes how many built-in nodes were asked for addresses
   * @param sharedAddresses how many peers sent addresses on request
   */
  record PeerSearch(
      int known,
      int called,
      int reached,
      int filtering,
      int compact,
      int seedsAsked,
      int seedsAnswered,
      int entryNodes,
      int sharedAddresses)
      implements SyncFact {}

  /**
   * Every element is covered up to the tip, and the scan is on disk. Under the private preset, a
   * one-off session stops at the block that was the tip when its scan for all scripts ended. A
   * session that follows scans for spends of newer coins at the next tick.
   *
   * @param height the height of the tip, or of that block
   * @param tip its hash
   */
  record Complete(int height, Hash256 tip) implements SyncFact {}

  /**
   * As {@link Complete}, but the tip is weeks old, and this network never pauses for so long. The
   * peers hide newer blocks or do not know them, or the clock is wrong.
   *
   * @param height the tip's height
   * @param tip its hash
   */
  record EndsLongAgo(int height, Hash256 tip) implements SyncFact {}

  /**
   * The state known now: it changed. A payment of another copy of the wallet is in it.
   *
   * @param scanned whether all that connected peers have of the chain is seen and on disk
   * @param asked connected peers that were asked for their memory pools, on this connection
   * @param told those of them whose pools are known and on disk: they answered, and announce what
   *     comes since then
   */
  record Standing(boolean scanned, Set<NodeAddress> asked, Set<NodeAddress> told)
      implements SyncFact {

    /** At the beginning, and without any peer. */
    public static final Standing NOTHING = new Standing(false, Set.of(), Set.of());

    /** Copies the sets, in their order: a trace is the same in every process. */
    public Standing {
      asked = Collections.unmodifiableSet(new LinkedHashSet<>(asked));
      told = Collections.unmodifiableSet(new LinkedHashSet<>(told));
    }

    /**
     * {@return whether nothing is awaited from the memory pools; true if one was asked at least,
     * and all that were asked announced their pools}
     */
    public boolean isAllTold() {
      return !asked.isEmpty() && told.containsAll(asked);
    }
  }

  /**
   * A whole block was compared with the served matches: a spot check.
   *
   * @param height the block's
   */
  record SpotChecked(int height) implements SyncFact {}

  /**
   * The scan ended, but fewer peers than requested saw some block, or agreed on its filter.
   *
   * @param height the tip's
   * @param wanted how many peers were to see every block, or to agree on every filter
   * @param seen how many peers did so, at least
   * @param byFilters whether the scan is complete, and the filters that check it are not
   */
  record TooFewCrossChecks(int height, int wanted, int seen, boolean byFilters)
      implements SyncFact {

    /**
     * Fewer peers than requested saw some block.
     *
     * @param height the tip's
     * @param wanted how many peers were to see every block
     * @param seen how many peers saw every block, at least
     */
    public TooFewCrossChecks(int height, int wanted, int seen) {
      this(height, wanted, seen, false);
    }
  }

  /**
   * A whole block near the tip came, as the settings wanted it.
   *
   * @param height its height
   * @param block checked against its header, which is in the chain, with its witness data
   */
  record RecentBlock(int height, FullBlock block) implements SyncFact {}

  /**
   * A peer said what it relays (BIP-0133). Nothing proves it.
   *
   * @param peer the peer
   * @param satPerKvb the least fee rate in satoshi per 1,000 virtual bytes; any value
   */
  record LeastFeeRate(NodeAddress peer, long satPerKvb) implements SyncFact {

    /**
     * {@return whether it takes no transaction at all, so that this is no fee rate; true while the
     * peer downloads blocks}
     */
    public boolean takesNothing() {
      return new Message.FeeFilter(satPerKvb).wantsNothing();
    }
  }
}
