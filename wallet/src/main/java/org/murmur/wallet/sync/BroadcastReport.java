package org.murmur.wallet.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.ledger.Confirmation;

/**
 * The result of a broadcast.
 *
 * @param txid of the transaction
 * @param takenBy peers that fetched it. A node refuses silently, so this does not mean that they
 *     accepted it
 * @param acceptedBy peers that sent it back on request: it is in their memory pool. Those that did
 *     not fetch it had it already: {@link #knownBy}
 * @param announcedBy peers that announced it back: they accepted it from another node, so it has
 *     spread
 * @param refusedBy peers that refused it, with their reason, or whose fee filter it does not reach,
 *     even if they fetched it; modern nodes refuse silently otherwise
 * @param problems peers that could not be reached or were lost, with the reason for people
 * @param confirmation the block that holds it as far as the wallet knows; then no peer was called
 * @param unsent why it could not be broadcast, for people; the transaction is written, and each
 *     later sync broadcasts it
 */
public record BroadcastReport(
    Hash256 txid,
    List<NodeAddress> takenBy,
    List<NodeAddress> acceptedBy,
    List<NodeAddress> announcedBy,
    Map<NodeAddress, String> refusedBy,
    Map<NodeAddress, String> problems,
    Optional<Confirmation> confirmation,
    Optional<String> unsent) {

  /** Copies the collections. */
  public BroadcastReport {
    takenBy = List.copyOf(takenBy);
    acceptedBy = List.copyOf(acceptedBy);
    announcedBy = List.copyOf(announcedBy);
    refusedBy = Map.copyOf(refusedBy);
    problems = Map.copyOf(problems);
  }

  /**
   * Makes the result for a payment that is written and could not be broadcast.
   *
   * @param txid of the payment
   * @param why for people
   * @return a report without peers
   */
  public static BroadcastReport unsent(Hash256 txid, String why) {
    return new BroadcastReport(
        txid,
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        Optional.of(why));
  }

  /**
   * Adds why it could not be broadcast.
   *
   * @param why for people
   * @return a new value
   */
  public BroadcastReport unsentBecause(String why) {
    return new BroadcastReport(
        txid,
        takenBy,
        acceptedBy,
        announcedBy,
        refusedBy,
        problems,
        confirmation,
        Optional.of(why));
  }

  /**
   * Returns the peers that had it before it was sent.
   *
   * @return peers that sent it back and had not fetched it
   */
  public List<NodeAddress> knownBy() {
    List<NodeAddress> known = new ArrayList<>(acceptedBy);
    known.removeAll(takenBy);
    return List.copyOf(known);
  }

  /**
   * {@return whether any peer is known to have accepted it; true if a peer sent it back or
   * announced it, or a block holds it}
   */
  public boolean isAccepted() {
    return !acceptedBy.isEmpty() || !announcedBy.isEmpty() || confirmation.isPresent();
  }

  /**
   * {@return whether peers refused it and no peer is known to have it; true if a peer refused it,
   * and so did each one that fetched it} It stays in the file: raise its fee, or abandon it.
   */
  public boolean isRefused() {
    return !isAccepted() && !refusedBy.isEmpty() && refusedBy.keySet().containsAll(takenBy);
  }

  /**
   * {@return whether no peer reacted to it; true if no peer fetched, accepted or refused it} Then
   * it was not refused either.
   */
  public boolean isUnheard() {
    return takenBy.isEmpty() && !isAccepted() && refusedBy.isEmpty();
  }
}
