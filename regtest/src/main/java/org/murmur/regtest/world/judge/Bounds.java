package org.murmur.regtest.world.judge;

import static org.murmur.regtest.world.judge.Require.require;

import org.murmur.p2p.discovery.AddressTable;
import org.murmur.p2p.machine.Footprint;

/** What a client may keep in memory, whatever is thrown at it. */
final class Bounds {

  /** Blocks in flight at one peer: what is in one window, and then some. */
  private static final int MAX_IN_FLIGHT = 10_000;

  /** Transactions kept of one peer. */
  private static final int MAX_RELAYED = 2_000;

  private static final long MAX_RELAYED_BYTES = 16L << 20;

  /** Transactions wanted of one peer. */
  private static final int MAX_WANTED = 11_000;

  /** A getdata each, and some. */
  private static final int MAX_PINGS = 1_000;

  private static final long MAX_JOURNAL_BYTES = 64L << 20;

  /** Of what is not the wallet's but may become so. */
  private static final int MAX_FOREIGN = 100_000;

  private static final long MAX_FOREIGN_BYTES = 8L << 20;

  /** As many calls as can fail while a line seems to stand, and those that were named. */
  private static final int MAX_CALLS = 5_000;

  private Bounds() {}

  /** Holds what is kept against the bounds, where so many peers are known. */
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
