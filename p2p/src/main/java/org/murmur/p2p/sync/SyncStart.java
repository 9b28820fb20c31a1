package org.murmur.p2p.sync;

import java.util.List;
import java.util.OptionalInt;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.chain.Network;
import org.murmur.p2p.cover.Element;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.discovery.KnownAddress;

/**
 * What the machine begins with: everything that earlier commits put on disk.
 *
 * @param network which network
 * @param chain the headers; the machine owns it from here on
 * @param birthday where looking for scripts begins
 * @param birthdayHeight the same as a height, once known
 * @param log the element log, whole and in order
 * @param loads every load that a row names
 * @param rows all scan rows of the active chain
 * @param peers what earlier sessions learnt of peers
 * @param nextLoadId greater than every load's id so far
 * @param nextRowId greater than every row's id so far
 * @param confirmed all transactions in blocks of the active chain that the wallet keeps, those
 *     included that replaced a payment to it; may be left out where nobody compares what peers tell
 * @param addresses the table of known addresses; may be left out where peers are named
 */
public record SyncStart(
    Network network,
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
    List<KnownAddress> addresses) {

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
   * Begins without what is confirmed and known addresses: enough where nobody compares what peers
   * tell, and these are named.
   *
   * @param network which network
   * @param chain the headers
   * @param birthday where looking for scripts begins
   * @param birthdayHeight the same as a height, once known
   * @param log the element log
   * @param loads every load that a row names
   * @param rows all scan rows of the active chain
   * @param peers what earlier sessions learnt of peers
   * @param nextLoadId greater than every load's id so far
   * @param nextRowId greater than every row's id so far
   */
  public SyncStart(
      Network network,
      HeaderChain chain,
      Birthday birthday,
      OptionalInt birthdayHeight,
      List<Element> log,
      List<Load> loads,
      List<ScanRow> rows,
      List<CommitBatch.PeerFacts> peers,
      long nextLoadId,
      long nextRowId) {
    this(
        network,
        chain,
        birthday,
        birthdayHeight,
        log,
        loads,
        rows,
        peers,
        nextLoadId,
        nextRowId,
        List.of(),
        List.of());
  }
}
