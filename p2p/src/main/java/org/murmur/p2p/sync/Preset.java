package org.murmur.p2p.sync;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.SizeClass;
import org.murmur.p2p.discovery.NodeAddress;

/** Which filters peers get in a sync, and how their answers are checked. */
public sealed interface Preset {

  /** The names of the presets. */
  enum Kind {
    /** One filter with everything, so sharp that each peer can read the wallet from it. */
    FAST,
    /** Scripts to one guard and outpoints to another, in padded filters that stay the same. */
    PRIVATE,
    /** Peers serve the filters of blocks, and the blocks that match. None gets a filter itself. */
    COMPACT
  }

  /**
   * Which unconfirmed transactions a compact sync sees: blocks have filters, and these do not.
   *
   * @param all whether all that peers announce are fetched, and tested here
   * @param node the peer that gets a filter with everything, as under the fast preset, and is asked
   *     for what waits in its memory pool; empty if no peer gets one
   */
  record Pool(boolean all, Optional<NodeAddress> node) {

    /** The wallet's own: they are announced, and asked back. */
    public static final Pool NONE = new Pool(false, Optional.empty());

    /**
     * All that peers announce, some hundred megabytes a day on mainnet. No peer learns a script.
     * Earlier ones are not seen.
     */
    public static final Pool ALL = new Pool(true, Optional.empty());

    /** Checks them: what a node is asked for by a filter need not be fetched from all others. */
    public Pool {
      if (all && node.isPresent()) {
        throw new IllegalArgumentException("all that is announced, and " + node.get() + " asked");
      }
    }

    /**
     * {@return those of a trusted node, which learns all addresses; no other peer does} It needs
     * NODE_BLOOM.
     *
     * @param node whose; in {@link NodeAddress#parse} is its form
     */
    public static Pool of(NodeAddress node) {
      return new Pool(false, Optional.of(node));
    }

    /**
     * {@return the same, with a port if the node was named without one}
     *
     * @param defaultPort of the network
     */
    public Pool at(int defaultPort) {
      return new Pool(all, node.map(peer -> peer.at(defaultPort)));
    }
  }

  /**
   * Returns its name.
   *
   * @return which preset it is
   */
  Kind kind();

  /** {@return how many different peers have to serve every block, at least 1} */
  default int verify() {
    return 1;
  }

  /** {@return how many whole blocks are compared with the filtered ones, 0 for none} */
  default int spotChecks() {
    return 0;
  }

  private static void requireFilterPeers(int peers) {
    if (peers < 0) {
      throw new IllegalArgumentException("filter peers " + peers + ", expected 0 or more");
    }
  }

  /** {@return how many peers have to agree on the filters of blocks, 0 if these are not read} */
  default int filterPeers() {
    return 0;
  }

  /** {@return how many peers it takes, at least 1} */
  int leastPeers();

  /** {@return whether every transaction that peers announce is fetched, and tested here} */
  default boolean hearsAll() {
    return false;
  }

  /** {@return the only peer that gets a filter, for its memory pool; empty if there is none} */
  default Optional<NodeAddress> poolNode() {
    return Optional.empty();
  }

  /**
   * {@return whether blocks are cross-checked; true if several peers have to serve each block, or
   * whole blocks or block filters are checked}
   */
  default boolean compares() {
    return verify() > 1 || spotChecks() > 0 || filterPeers() > 0;
  }

  /** {@return the private preset; empty if this is the fast one} */
  default Optional<Private> guarded() {
    return Optional.empty();
  }

  /**
   * One filter with everything; all peers share the work. Begin with {@link #USUAL} and derive.
   *
   * @param rate the false-positive rate of the filters, per element, when they are full; greater
   *     than 0 and less than 1
   * @param elements how many elements one filter holds at most. The blocks are scanned in several
   *     passes if there are more. 0 for as many as {@link FilterParameters#MAX_BYTES} can hold
   * @param verify how many different peers must serve every block, at least 1. Their answers are
   *     compared. A peer that omitted a transaction is dropped, and the blocks that only it served
   *     are scanned again
   * @param spotChecks how many whole blocks, at random heights, are fetched and compared with the
   *     filtered ones; each costs its whole size
   * @param filterPeers how many peers have to agree on the filters of blocks (BIP-0157), which then
   *     show what a peer omitted; 0 to read none
   */
  record Fast(double rate, int elements, int verify, int spotChecks, int filterPeers)
      implements Preset {

    /**
     * So low that the server-side filter does not degrade as the server adds outpoints: 2,000
     * elements take 10.8 kB.
     */
    public static final double RATE = 1e-9;

    /** The rate of the fullest filter: one false positive in some dozens of full blocks. */
    private static final double FULL_RATE = 1e-6;

    /** One peer for each block. */
    public static final Fast USUAL = new Fast(RATE, 0, 1, 0, 0);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public Fast {
      if (!(rate > 0 && rate < 1)) {
        throw new IllegalArgumentException(
            "rate " + rate + ", expected more than 0 and less than 1");
      }
      if (elements < 0 || elements > capacity(rate)) {
        throw new IllegalArgumentException(
            "filter of " + elements + " elements, expected 1 to " + capacity(rate));
      }
      if (verify < 1) {
        throw new IllegalArgumentException("verify " + verify + ", expected at least 1");
      }
      if (spotChecks < 0) {
        throw new IllegalArgumentException("spot checks " + spotChecks + ", expected 0 or more");
      }
      requireFilterPeers(filterPeers);
    }

    @Override
    public Kind kind() {
      return Kind.FAST;
    }

    @Override
    public int leastPeers() {
      return verify;
    }

    /** {@return how many elements one filter holds at most, at least 1} */
    public int capacity() {
      return elements == 0 ? capacity(rate) : elements;
    }

    /**
     * Returns how many elements the largest filter of BIP-0037 holds. It may be fuller than a rate
     * asks for, because another pass costs more than a rate of {@value #FULL_RATE} does.
     *
     * @param rate false positives for each element tested
     * @return at least 1: 10,015 elements at 1e-9
     */
    public static int capacity(double rate) {
      double bits = -Math.log(Math.max(rate, FULL_RATE)) / (Math.log(2) * Math.log(2));
      return Math.max(1, (int) (8 * FilterParameters.MAX_BYTES / bits));
    }

    /**
     * {@return values with another rate}
     *
     * @param falsePositives greater than 0 and less than 1
     */
    public Fast rate(double falsePositives) {
      return new Fast(falsePositives, elements, verify, spotChecks, filterPeers);
    }

    /**
     * {@return values with smaller filters}
     *
     * @param most how many elements a filter holds at most
     */
    public Fast elements(int most) {
      return new Fast(rate, most, verify, spotChecks, filterPeers);
    }

    /**
     * {@return values under which several peers serve every block}
     *
     * @param peers how many different ones
     */
    public Fast verify(int peers) {
      return new Fast(rate, elements, peers, spotChecks, filterPeers);
    }

    /**
     * {@return values with whole blocks to compare}
     *
     * @param blocks how many
     */
    public Fast spotChecks(int blocks) {
      return new Fast(rate, elements, verify, blocks, filterPeers);
    }

    /**
     * {@return values under which block filters check the scan}
     *
     * @param peers how many different ones have to agree on them; 0 to read none. Of found peers a
     *     wallet takes {@link Compact#FOUND} at least
     */
    public Fast filterPeers(int peers) {
      return new Fast(rate, elements, verify, spotChecks, peers);
    }
  }

  /**
   * Scripts go to one guard and outpoints to another, in frozen epochs that are the same after a
   * restart. No other peer gets a filter, and answers are not compared: no two peers get the same
   * one. Begin with {@link #USUAL} and derive.
   *
   * @param rate the false-positive rate of the public size classes to use, {@link
   *     SizeClass#THRIFTY} or {@link SizeClass#GENEROUS}; epochs that were sent before do not
   *     change
   * @param onePeer whether one peer may be both guards, where none was chosen before
   * @param dismissed guards to be replaced by another peer, which then learns the filter, too
   * @param filterPeers how many peers have to agree on the filters of blocks (BIP-0157), which then
   *     show what a guard omitted; 0 to read none. A guard that omitted something stays until the
   *     session ends: to be dropped at once would tell it which omission was the wallet's
   */
  record Private(double rate, boolean onePeer, Set<NodeAddress> dismissed, int filterPeers)
      implements Preset {

    /** The thrifty classes, two peers, and no guard replaced. */
    public static final Private USUAL = new Private(SizeClass.THRIFTY, false, Set.of(), 0);

    /** Every scan starts at a multiple of this many blocks: a difficulty period, two weeks. */
    public static final int GRID = 2_016;

    /**
     * While a sync follows the chain, outpoints go into a new epoch at multiples of this height: a
     * day.
     */
    public static final int TICK = 144;

    /** One gets the scripts, the other the outpoints. */
    public static final int GUARDS = 2;

    /**
     * Checks the rate and copies the set.
     *
     * @throws IllegalArgumentException if there is no size class of this rate
     */
    public Private {
      SizeClass.holding(rate, 0);
      requireFilterPeers(filterPeers);
      dismissed = Set.copyOf(dismissed);
    }

    /**
     * Returns when a session that follows next searches for spends of coins that it did not know at
     * its last tick.
     *
     * @param tip the height of the last block
     * @return a height above it
     */
    public static int nextTick(int tip) {
      return (tip / TICK + 1) * TICK;
    }

    @Override
    public Kind kind() {
      return Kind.PRIVATE;
    }

    @Override
    public int leastPeers() {
      return onePeer ? 1 : GUARDS;
    }

    @Override
    public Optional<Private> guarded() {
      return Optional.of(this);
    }

    /**
     * {@return values with another rate}
     *
     * @param falsePositives the rate of a size class
     */
    public Private rate(double falsePositives) {
      return new Private(falsePositives, onePeer, dismissed, filterPeers);
    }

    /**
     * {@return values that let one peer get everything, or not}
     *
     * @param enough whether one peer is enough
     */
    public Private onePeer(boolean enough) {
      return new Private(rate, enough, dismissed, filterPeers);
    }

    /**
     * {@return values that replace these guards, too}
     *
     * @param guards {@code HOST} or {@code HOST:PORT}
     * @throws IllegalArgumentException if one is neither
     */
    public Private dismissing(Iterable<String> guards) {
      Set<NodeAddress> all = new HashSet<>(dismissed);
      all.addAll(NodeAddress.parseAll(guards));
      return new Private(rate, onePeer, all, filterPeers);
    }

    /**
     * {@return values under which block filters check the scan}
     *
     * @param peers how many different ones have to agree on them; 0 to read none. Of found peers a
     *     wallet takes {@link Compact#FOUND} at least
     */
    public Private filterPeers(int peers) {
      return new Private(rate, onePeer, dismissed, peers);
    }

    /**
     * Fills in the ports of dismissed guards that were named without one.
     *
     * @param defaultPort of the network
     * @return new values
     */
    public Private at(int defaultPort) {
      return new Private(
          rate,
          onePeer,
          dismissed.stream().map(peer -> peer.at(defaultPort)).collect(Collectors.toSet()),
          filterPeers);
    }
  }

  /**
   * Blocks are found by their filters (BIP-0158), which peers serve (BIP-0157), and are fetched
   * whole. A peer learns no script, and of the blocks only those that it serves.
   *
   * @param verify how many different peers must agree on the filters of all blocks, at least 1. No
   *     filter can hide a payment if one of them is honest
   * @param pool which unconfirmed transactions are seen
   */
  record Compact(int verify, Pool pool) implements Preset {

    /** Two peers that do not know each other. */
    public static final int FOUND = 2;

    /**
     * Checks the value.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Compact {
      if (verify < 1) {
        throw new IllegalArgumentException("verify " + verify + ", expected at least 1");
      }
    }

    /**
     * Sees no unconfirmed transactions but the wallet's own.
     *
     * @param verify how many different peers must agree, at least 1
     */
    public Compact(int verify) {
      this(verify, Pool.NONE);
    }

    @Override
    public Kind kind() {
      return Kind.COMPACT;
    }

    @Override
    public boolean hearsAll() {
      return pool.all();
    }

    @Override
    public Optional<NodeAddress> poolNode() {
      return pool.node();
    }

    @Override
    public int filterPeers() {
      return verify;
    }

    @Override
    public int leastPeers() {
      return verify;
    }

    /** {@return false: whoever agrees on the filters serves the same blocks} */
    @Override
    public boolean compares() {
      return false;
    }
  }
}
