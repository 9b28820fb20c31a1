package org.murmur.p2p.machine;

import org.murmur.p2p.peers.Peer;
import org.murmur.p2p.peers.Question;
import org.murmur.p2p.pool.PoolLink;
import org.murmur.p2p.scan.ScanLink;

/**
 * How much a machine keeps in memory beside what it is about: the chain, the log and the rows.
 * Whatever peers do, none of these may grow without bound.
 *
 * @param peers connections that stand or are being made
 * @param blocksInFlight blocks asked for and not yet answered
 * @param relayedTransactions transactions kept in case a block's own are not sent again
 * @param relayedBytes and their bytes
 * @param wantedTransactions transactions asked for by txid and not yet answered
 * @param pings pings not yet answered
 * @param journalBytes bytes of transactions that wait to be written
 * @param strangeElements elements remembered of what peers told and is not the wallet's, to compare
 *     them by should it become so
 * @param strangeBytes bytes of the transactions that hold them
 * @param addresses addresses of possible peers, where those are to be found
 * @param callsRemembered addresses remembered beside those, for what became of calls to them
 */
public record Footprint(
    int peers,
    int blocksInFlight,
    int relayedTransactions,
    long relayedBytes,
    int wantedTransactions,
    int pings,
    long journalBytes,
    int strangeElements,
    long strangeBytes,
    int addresses,
    int callsRemembered) {

  static Footprint of(Parts parts) {
    int blocks = 0;
    int relayed = 0;
    long relayedBytes = 0;
    int wanted = 0;
    int pings = 0;
    for (Peer peer : parts.roster.peers()) {
      blocks += peer.questions().owed(Question.Kind.BLOCKS);
      relayed += ScanLink.of(peer).seen().count();
      relayedBytes += ScanLink.of(peer).seen().bytes();
      wanted += PoolLink.of(peer).wantedCount();
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
        parts.settlement.strangeElements(),
        parts.settlement.strangeBytes(),
        parts.dialer.addresses(),
        parts.dialer.remembered());
  }
}
