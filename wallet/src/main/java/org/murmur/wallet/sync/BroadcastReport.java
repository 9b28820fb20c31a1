package org.murmur.wallet.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.ledger.Confirmation;

/**
 * The result of a broadcast.
 *
 * @param txid of the transaction
 * @param fetchedBy peers that fetched it. A node refuses silently, so this does not mean that they
 *     accepted it
 * @param acceptedBy peers that sent it back on request: it is in their memory pool. Those that did
 *     not fetch it had it already: {@link #knownBy}
 * @param announcedBy peers that announced it back: they accepted it from another node, so it has
 *     spread
 * @param refusedBy peers that refused it, with their reason, or whose fee filter it does not reach,
 *     even if they fetched it; modern nodes refuse silently otherwise
 * @param problems peers that could not be reached or were lost, with the reason for people
 * @param confirmation the block that holds it as far as the wallet knows; then no peer was called
 * @param unsent why it could not be broadcast; the transaction is written, and each later sync
 *     broadcasts it
 */
public record BroadcastReport(
    Hash256 txid,
    List<NodeAddress> fetchedBy,
    List<NodeAddress> acceptedBy,
    List<NodeAddress> announcedBy,
    Map<NodeAddress, String> refusedBy,
    Map<NodeAddress, String> problems,
    Optional<Confirmation> confirmation,
    Optional<Unsent> unsent) {

  /**
   * Why a transaction could not be broadcast.
   *
   * @param text for people
   * @param failure a {@link NoUsablePeerException} or {@link WalletException}; empty if no peer was
   *     connected in time, or a sync runs and has none now
   */
  public record Unsent(String text, Optional<Exception> failure) {}

  /** Copies the collections. */
  public BroadcastReport {
    fetchedBy = List.copyOf(fetchedBy);
    acceptedBy = List.copyOf(acceptedBy);
    announcedBy = List.copyOf(announcedBy);
    refusedBy = Map.copyOf(refusedBy);
    problems = Map.copyOf(problems);
  }

  /**
   * Makes the result for a transaction for which no peer was called.
   *
   * @param txid of the transaction
   * @param confirmation the block that holds it, if that is why
   * @return a report without peers
   */
  public static BroadcastReport withoutPeers(Hash256 txid, Optional<Confirmation> confirmation) {
    return new BroadcastReport(
        txid, List.of(), List.of(), List.of(), Map.of(), Map.of(), confirmation, Optional.empty());
  }

  /**
   * Adds why it could not be broadcast.
   *
   * @param why it could not
   * @return a new value
   */
  public BroadcastReport unsent(Unsent why) {
    return new BroadcastReport(
        txid,
        fetchedBy,
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
    known.removeAll(fetchedBy);
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
    return !isAccepted() && !refusedBy.isEmpty() && refusedBy.keySet().containsAll(fetchedBy);
  }

  /**
   * {@return whether no peer reacted to it; true if no peer fetched, accepted or refused it} Then
   * it was not refused either.
   */
  public boolean isUnanswered() {
    return fetchedBy.isEmpty() && !isAccepted() && refusedBy.isEmpty();
  }
}
