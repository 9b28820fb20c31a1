package org.murmur.wallet.sync;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.murmur.p2p.discovery.NodeAddress;

/**
 * The state of a payment of the wallet. It follows from the ledger; a session adds which peers
 * fetched, returned or refused the payment in it, which the file does not keep.
 *
 * @param stage how far it is
 * @param fetchedBy peers that fetched it in this session
 * @param relayedBy peers that announced it or sent it back in this session
 * @param refusedBy peers that refused it in this session, with their reason
 * @param ordered whether the user ordered to send it, or a peer has it; false for one that is only
 *     signed or was abandoned, which no sync announces
 * @param elsewhere whether another copy of the wallet's keys signed it: this wallet has no record
 *     of making it, so its user may not have named the payees
 */
public record PaymentState(
    Stage stage,
    List<NodeAddress> fetchedBy,
    List<NodeAddress> relayedBy,
    Map<NodeAddress, String> refusedBy,
    boolean ordered,
    boolean elsewhere) {

  /** How far a payment is. */
  public enum Stage {
    /** In the file, and no peer is known to have it. A peer may have fetched it before. */
    BUILT,
    /** A peer fetched it in this session, and no peer is known to have accepted it. */
    SENT,
    /** A peer announced it or sent it back: it waits for a block. */
    RELAYED,
    /** In a block of the active chain. */
    CONFIRMED,
    /** Peers refused it in this session, and no other one fetched it. It stays pending. */
    REFUSED,
    /** Another pending transaction spends one of its coins, and counts instead. */
    REPLACED,
    /** A block holds another spend of one of its coins, or a transaction that it spends is gone. */
    CONFLICTED,
    /** The user abandoned it. If a peer announces it after all, it counts again. */
    ABANDONED,
    /** Another copy of this wallet made it, and the peers no longer have it. */
    DROPPED
  }

  /** Copies the collections. */
  public PaymentState {
    fetchedBy = List.copyOf(fetchedBy);
    relayedBy = List.copyOf(relayedBy);
    refusedBy = Map.copyOf(refusedBy);
  }

  private static PaymentState of(Stage stage, boolean ordered, boolean elsewhere) {
    return new PaymentState(stage, List.of(), List.of(), Map.of(), ordered, elsewhere);
  }

  /**
   * Derives the state from a broadcast alone.
   *
   * @param report of the broadcast
   * @return the state after it, with the peers' reactions
   */
  public static PaymentState of(BroadcastReport report) {
    Stage stage =
        report.confirmation().isPresent()
            ? Stage.CONFIRMED
            : report.isAccepted() ? Stage.RELAYED : Stage.BUILT;
    return of(stage, true, false).with(report);
  }

  /**
   * Adds the peers' reactions in a session. The ledger decides about everything else, and hears of
   * a peer that has the payment with the next commit.
   *
   * @param session the reactions
   * @return the state with peers
   */
  public PaymentState with(BroadcastReport session) {
    Set<NodeAddress> have = new LinkedHashSet<>(session.acceptedBy());
    have.addAll(session.announcedBy());
    Stage now = stage;
    if (stage == Stage.BUILT) {
      boolean open = !session.refusedBy().keySet().containsAll(session.fetchedBy());
      now =
          // The next commit writes that.
          !have.isEmpty()
              ? Stage.RELAYED
              : open ? Stage.SENT : session.refusedBy().isEmpty() ? stage : Stage.REFUSED;
    }
    return new PaymentState(
        now,
        session.fetchedBy(),
        new ArrayList<>(have),
        session.refusedBy(),
        // The file may not say yet what a peer has already fetched.
        ordered || now == Stage.SENT || now == Stage.RELAYED,
        elsewhere);
  }
}
