package org.murmur.wallet.store;

import java.util.List;
import java.util.OptionalInt;
import org.murmur.p2p.discovery.AddressChanges;
import org.murmur.p2p.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.sync.Load;
import org.murmur.p2p.sync.PeerAddress;
import org.murmur.p2p.sync.ScanRow;
import org.murmur.p2p.sync.ServerCopy;
import org.murmur.p2p.wire.Headers;
import org.murmur.wallet.ledger.Fact;

/**
 * One commit, as it is written: all of it or nothing, in this order.
 *
 * @param forkHeight headers, rows and proofs above this height go away first
 * @param connected headers of the heights that follow
 * @param birthdayHeight the birthday's height, when it just became known
 * @param voidRowsFrom rows at and above this height go away before {@code rows} are written; {@link
 *     Integer#MAX_VALUE} for none
 * @param disowned peers whose rows, all of them, go away before {@code rows} are written; the
 *     filters they were sent stay known
 * @param loads filters, new or grown
 * @param rows scan rows, new or grown
 * @param facts transactions, new or changed
 * @param proofs of transactions that were confirmed
 * @param scripts new in the element log
 * @param outPoints new in the element log, or with another birth or end
 * @param peers what became known of peers
 * @param copies what servers' copies of filters have become
 * @param addresses how the table of known addresses changed
 */
public record StoreChange(
    int forkHeight,
    Headers connected,
    OptionalInt birthdayHeight,
    int voidRowsFrom,
    List<PeerAddress> disowned,
    List<Load> loads,
    List<ScanRow> rows,
    List<Fact> facts,
    List<StoredProof> proofs,
    List<ScriptRun> scripts,
    List<LoggedOutPoint> outPoints,
    List<PeerFacts> peers,
    List<ServerCopy> copies,
    AddressChanges addresses) {

  /** Copies the lists. */
  public StoreChange {
    disowned = List.copyOf(disowned);
    loads = List.copyOf(loads);
    rows = List.copyOf(rows);
    facts = List.copyOf(facts);
    proofs = List.copyOf(proofs);
    scripts = List.copyOf(scripts);
    outPoints = List.copyOf(outPoints);
    peers = List.copyOf(peers);
    copies = List.copyOf(copies);
  }

  /**
   * Makes one without news of addresses.
   *
   * @param forkHeight headers, rows and proofs above this height go away first
   * @param connected headers of the heights that follow
   * @param birthdayHeight the birthday's height, when it just became known
   * @param voidRowsFrom rows at and above this height go away
   * @param disowned peers whose rows go away
   * @param loads filters, new or grown
   * @param rows scan rows, new or grown
   * @param facts transactions, new or changed
   * @param proofs of transactions that were confirmed
   * @param scripts new in the element log
   * @param outPoints new in the element log, or with another birth or end
   * @param peers what became known of peers
   * @param copies what servers' copies of filters have become
   */
  public StoreChange(
      int forkHeight,
      Headers connected,
      OptionalInt birthdayHeight,
      int voidRowsFrom,
      List<PeerAddress> disowned,
      List<Load> loads,
      List<ScanRow> rows,
      List<Fact> facts,
      List<StoredProof> proofs,
      List<ScriptRun> scripts,
      List<LoggedOutPoint> outPoints,
      List<PeerFacts> peers,
      List<ServerCopy> copies) {
    this(
        forkHeight,
        connected,
        birthdayHeight,
        voidRowsFrom,
        disowned,
        loads,
        rows,
        facts,
        proofs,
        scripts,
        outPoints,
        peers,
        copies,
        AddressChanges.NONE);
  }

  /**
   * Makes one without news of servers' copies.
   *
   * @param forkHeight headers, rows and proofs above this height go away first
   * @param connected headers of the heights that follow
   * @param birthdayHeight the birthday's height, when it just became known
   * @param voidRowsFrom rows at and above this height go away
   * @param disowned peers whose rows go away
   * @param loads filters, new or grown
   * @param rows scan rows, new or grown
   * @param facts transactions, new or changed
   * @param proofs of transactions that were confirmed
   * @param scripts new in the element log
   * @param outPoints new in the element log, or with another birth or end
   * @param peers what became known of peers
   */
  public StoreChange(
      int forkHeight,
      Headers connected,
      OptionalInt birthdayHeight,
      int voidRowsFrom,
      List<PeerAddress> disowned,
      List<Load> loads,
      List<ScanRow> rows,
      List<Fact> facts,
      List<StoredProof> proofs,
      List<ScriptRun> scripts,
      List<LoggedOutPoint> outPoints,
      List<PeerFacts> peers) {
    this(
        forkHeight,
        connected,
        birthdayHeight,
        voidRowsFrom,
        disowned,
        loads,
        rows,
        facts,
        proofs,
        scripts,
        outPoints,
        peers,
        List.of());
  }
}
