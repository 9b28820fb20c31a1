package org.murmur.p2p.internal.machine;

import org.murmur.p2p.internal.peers.Question;
import org.murmur.p2p.internal.pool.PoolPeer;

/**
 * How much a machine keeps in memory in addition to the chain, the log and the rows. None of these
 * may grow without bound, whatever peers do.
 *
 * @param peers connections that are open or being opened
 * @param blocksInFlight blocks requested and not yet answered
 * @param relayedTransactions transactions kept because a peer need not send them again with their
 *     block
 * @param relayedBytes their size in bytes
 * @param wantedTransactions transactions requested by txid and not yet answered
 * @param pings pings not yet answered
 * @param journalBytes bytes of transactions not yet written
 * @param foreignElements elements in peers' transactions that are not the wallet's, for comparison
 *     if they become so
 * @param foreignBytes bytes of the transactions that hold them
 * @param addresses addresses of possible peers, if peers are discovered
 * @param callsRemembered other addresses that are kept for the results of calls to them
 */
public record Footprint(
    int peers,
    int blocksInFlight,
    int relayedTransactions,
    long relayedBytes,
    int wantedTransactions,
    int pings,
    long journalBytes,
    int foreignElements,
    long foreignBytes,
    int addresses,
    int callsRemembered) {

  static Footprint of(Parts parts) {
    int blocks = 0;
    int relayed = 0;
    long relayedBytes = 0;
    int wanted = 0;
    int pings = 0;
    for (PoolPeer peer : parts.roster.peers()) {
      blocks += peer.questions().owed(Question.Kind.BLOCKS);
      relayed += peer.scan().seen().count();
      relayedBytes += peer.scan().seen().bytes();
      wanted += peer.pool().wantedCount();
      pings += peer.questions().pings();
    }
    return new Footprint(
        parts.roster.size(),
        blocks,
        relayed,
        relayedBytes,
        wanted,
        pings,
        parts.journal.bytes(),
        parts.settlement.foreignElements(),
        parts.settlement.foreignBytes(),
        parts.dialer.addresses(),
        parts.dialer.remembered());
  }
}
