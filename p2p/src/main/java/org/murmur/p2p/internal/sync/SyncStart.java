package org.murmur.p2p.internal.sync;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.chain.HeaderChain;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.cover.ScanRow;
import org.murmur.p2p.internal.cover.View;
import org.murmur.p2p.internal.cover.WholeScript;
import org.murmur.p2p.internal.discovery.KnownAddress;

/**
 * The machine's initial state: everything that earlier commits put on disk.
 *
 * @param chain the headers; the machine owns them from here on
 * @param birthday where the scan for scripts begins
 * @param birthdayHeight the same as a height, once known
 * @param log the element log, whole and in order
 * @param scripts the whole scripts of the log; may be left out unless blocks are found by filters
 * @param views every view that a row names
 * @param epochs the last load of every epoch that each peer got, by ascending id
 * @param exposed every peer that ever got a filter
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
    List<WholeScript> scripts,
    List<View> views,
    List<Load> epochs,
    Set<NodeAddress> exposed,
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
    scripts = List.copyOf(scripts);
    views = List.copyOf(views);
    epochs = List.copyOf(epochs);
    exposed = Set.copyOf(exposed);
    rows = List.copyOf(rows);
    peers = List.copyOf(peers);
    confirmed = List.copyOf(confirmed);
    addresses = List.copyOf(addresses);
  }

  /** Makes a start from all loads there ever were. */
  public SyncStart(
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
    this(
        network,
        chain,
        birthday,
        birthdayHeight,
        log,
        List.of(),
        loads.stream().map(Load::view).collect(Collectors.toList()),
        loads.stream()
            .filter(load -> load.content() instanceof Content.Epoch)
            .collect(Collectors.toList()),
        loads.stream().map(Load::peer).collect(Collectors.toSet()),
        rows,
        peers,
        nextLoadId,
        nextRowId,
        confirmed,
        addresses,
        known);
  }

  /** Makes the start of a new wallet without elements, whose peers are named. */
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
