package org.murmur.p2p.sync;

import java.util.List;
import java.util.OptionalInt;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.HeaderChain;
import org.murmur.p2p.chain.Network;

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
    long nextRowId) {

  /** Copies the collections. */
  public SyncStart {
    log = List.copyOf(log);
    loads = List.copyOf(loads);
    rows = List.copyOf(rows);
    peers = List.copyOf(peers);
  }
}
