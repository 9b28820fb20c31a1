package org.murmur.testbed.world.judge;

import static org.murmur.testbed.world.judge.Require.require;

import org.murmur.p2p.internal.discovery.AddressTable;
import org.murmur.p2p.internal.machine.Footprint;

/** The limits of a client's memory under any input. */
final class Bounds {

  /** Blocks in flight at one peer: one window and some more. */
  private static final int MAX_IN_FLIGHT = 10_000;

  /** Transactions kept of one peer. */
  private static final int MAX_RELAYED = 2_000;

  private static final long MAX_RELAYED_BYTES = 16L << 20;

  /** Transactions wanted of one peer. */
  private static final int MAX_WANTED = 11_000;

  /** One getdata message and some more. */
  private static final int MAX_PINGS = 1_000;

  private static final long MAX_JOURNAL_BYTES = 64L << 20;

  /** Transactions that are not the wallet's but may become so. */
  private static final int MAX_FOREIGN = 100_000;

  private static final long MAX_FOREIGN_BYTES = 8L << 20;

  /** Failed calls while a connection seems to stand, and the named peers. */
  private static final int MAX_CALLS = 5_000;

  private Bounds() {}

  /** Compares the kept amounts with the limits, where this many peers are known. */
  static void hold(Footprint footprint, int known) {
    int peers = Math.max(1, footprint.peers());
    require(
        footprint.peers() <= known
            && footprint.blocksInFlight() <= peers * MAX_IN_FLIGHT
            && footprint.relayedTransactions() <= peers * MAX_RELAYED
            && footprint.relayedBytes() <= peers * MAX_RELAYED_BYTES
            && footprint.wantedTransactions() <= peers * MAX_WANTED
            && footprint.pings() <= peers * MAX_PINGS
            && footprint.journalBytes() <= MAX_JOURNAL_BYTES
            && footprint.foreignElements() <= MAX_FOREIGN
            && footprint.foreignBytes() <= MAX_FOREIGN_BYTES
            && footprint.addresses() <= AddressTable.MAX_FRESH + AddressTable.MAX_PROVEN
            && footprint.callsRemembered() <= MAX_CALLS,
        "too much is kept in memory: %s",
        footprint);
  }
}
