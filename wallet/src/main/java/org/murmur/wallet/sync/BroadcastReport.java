package org.murmur.wallet.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.wallet.ledger.Confirmation;

/**
 * What became of a transaction that was sent.
 *
 * @param txid which
 * @param takenBy peers that fetched it. A node refuses in silence, so this says nothing of
 *     acceptance
 * @param acceptedBy peers that handed it back when they were asked for it: it is in their memory
 *     pool. Those that did not fetch it had it already: {@link #knownBy}
 * @param announcedBy peers that announced it back: they accepted it from somebody else, so it has
 *     spread
 * @param refusedBy peers that refused it, with their words, or that relay nothing so cheap
 *     (feefilter), also if they fetched it; modern ones refuse in silence otherwise
 * @param problems peers that could not be reached or were lost, with the reason for people
 * @param confirmation the block that holds it as far as the wallet knows; then nobody was called
 */
public record BroadcastReport(
    Hash256 txid,
    List<PeerAddress> takenBy,
    List<PeerAddress> acceptedBy,
    List<PeerAddress> announcedBy,
    Map<PeerAddress, String> refusedBy,
    Map<PeerAddress, String> problems,
    Optional<Confirmation> confirmation) {

  /** Copies the collections. */
  public BroadcastReport {
    takenBy = List.copyOf(takenBy);
    acceptedBy = List.copyOf(acceptedBy);
    announcedBy = List.copyOf(announcedBy);
    refusedBy = Map.copyOf(refusedBy);
    problems = Map.copyOf(problems);
  }

  /**
   * Returns who had it before it was sent.
   *
   * @return peers that handed it back and had not fetched it
   */
  public List<PeerAddress> knownBy() {
    List<PeerAddress> known = new ArrayList<>(acceptedBy);
    known.removeAll(takenBy);
    return List.copyOf(known);
  }

  /**
   * Returns whether somebody besides the sender is known to have accepted it.
   *
   * @return true if a peer handed it back or announced it, or a block holds it
   */
  public boolean isAccepted() {
    return !acceptedBy.isEmpty() || !announcedBy.isEmpty() || confirmation.isPresent();
  }

  /**
   * Returns whether no peer said anything of it.
   *
   * @return true if no peer fetched, accepted or refused it
   */
  public boolean isUnheard() {
    return takenBy.isEmpty() && !isAccepted() && refusedBy.isEmpty();
  }
}
