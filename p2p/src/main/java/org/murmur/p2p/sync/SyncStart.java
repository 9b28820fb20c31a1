package org.murmur.p2p.sync;

import java.util.List;
import java.util.OptionalInt;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.discovery.KnownAddress;

/**
 * The machine's initial state: everything that earlier commits put on disk.
 *
 * @param network the network
 * @param chain the headers; the machine owns them from here on
 * @param birthday where the scan for scripts begins
 * @param birthdayHeight the same as a height, once known
 * @param log the element log, whole and in order
 * @param loads every load that a row names
 * @param rows all scan rows of the active chain
 * @param peers facts about peers from earlier sessions
 * @param nextLoadId greater than every load's id so far
 * @param nextRowId greater than every row's id so far
 * @param confirmed all transactions of the wallet in blocks of the active chain, with those that
 *     replaced a payment to it; may be left out without cross-checks
 * @param addresses the table of known addresses; may be left out if peers are named
 * @param known headers that others in this process have
 */
public record SyncStart(
    ChainParams network,
    HeaderChain chain,
    Birthday birthday,
    OptionalInt birthdayHeight,
    List<Element> log,
    List<Load> loads,
    List<ScanRow> rows,
    List<CommitBatch.PeerFacts> peers,
    long nextLoadId,
    long nextRowId,
    List<Confirmed> confirmed,
    List<KnownAddress> addresses,
    HeaderSource known) {

  /** Copies the collections. */
  public SyncStart {
    log = List.copyOf(log);
    loads = List.copyOf(loads);
    rows = List.copyOf(rows);
    peers = List.copyOf(peers);
    confirmed = List.copyOf(confirmed);
    addresses = List.copyOf(addresses);
  }

  /**
   * Makes the start of a new wallet without elements, whose peers are named.
   *
   * @param network the network
   * @param chain the headers
   * @param birthday where the scan for scripts begins
   * @param birthdayHeight the same as a height, once known
   * @return the start
   */
  public static SyncStart ofNewWallet(
      ChainParams network, HeaderChain chain, Birthday birthday, OptionalInt birthdayHeight) {
    return new SyncStart(
        network,
        chain,
        birthday,
        birthdayHeight,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        1,
        1,
        List.of(),
        List.of(),
        HeaderSource.NONE);
  }
}
