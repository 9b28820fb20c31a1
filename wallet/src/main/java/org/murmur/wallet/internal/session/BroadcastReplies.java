package org.murmur.wallet.internal.session;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.sync.BroadcastReport;
import org.murmur.wallet.sync.SyncReport;

/** The peers' reactions to the transaction that was sent in this session. */
final class BroadcastReplies {

  private final Hash256 txid;
  // Peers to which this session announced a payment of an earlier one.
  private final Set<NodeAddress> offered = new LinkedHashSet<>();
  private final Set<NodeAddress> taken = new LinkedHashSet<>();
  private final Set<NodeAddress> accepted = new LinkedHashSet<>();
  private final Set<NodeAddress> relayed = new LinkedHashSet<>();
  private final Map<NodeAddress, String> refused = new LinkedHashMap<>();

  BroadcastReplies(Hash256 txid) {
    this.txid = txid;
  }

  /** The transaction that a peer reacted to; null if the event is about something else. */
  static @Nullable Hash256 txid(SyncEvent event) {
    if (event instanceof SyncEvent.TransactionOffered o) {
      return o.txid();
    }
    if (event instanceof SyncEvent.TransactionTaken t) {
      return t.txid();
    }
    if (event instanceof SyncEvent.TransactionAccepted a) {
      return a.txid();
    }
    if (event instanceof SyncEvent.TransactionAnnounced a) {
      return a.txid();
    }
    return event instanceof SyncEvent.TransactionRefused r ? r.txid() : null;
  }

  /** A peer reacted to it. */
  void heard(SyncEvent event) {
    if (event instanceof SyncEvent.TransactionOffered o) {
      offered.add(o.peer());
    } else if (event instanceof SyncEvent.TransactionTaken t) {
      taken.add(t.peer());
    } else if (event instanceof SyncEvent.TransactionAccepted a) {
      accepted.add(a.peer());
    } else if (event instanceof SyncEvent.TransactionAnnounced a) {
      relayed.add(a.peer());
    } else if (event instanceof SyncEvent.TransactionRefused r) {
      refused.put(r.peer(), r.reason());
    }
  }

  /** Whether this session announced it to a peer again. */
  boolean isOfferedTo(NodeAddress peer) {
    return offered.contains(peer);
  }

  /** Whether some peer has it or refused it, and each of those said whether it accepts it. */
  boolean isSettledBy(Set<NodeAddress> peers) {
    return (isAccepted() || !refused.isEmpty()) && haveReacted(peers);
  }

  /** Whether some peer has it, and each that fetched it said whether it accepts it. */
  boolean isSettled() {
    return isAccepted() && haveReacted(taken);
  }

  /** Whether a peer has it. */
  boolean isAccepted() {
    return !accepted.isEmpty() || !relayed.isEmpty();
  }

  private boolean haveReacted(Set<NodeAddress> peers) {
    return peers.stream()
        .allMatch(
            peer -> accepted.contains(peer) || relayed.contains(peer) || refused.containsKey(peer));
  }

  /**
   * How peers took a payment of an earlier session; empty if this one did not announce it again.
   */
  Optional<SyncReport.Announced> rebroadcast() {
    Set<NodeAddress> have = new LinkedHashSet<>(accepted);
    have.addAll(relayed);
    return offered.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SyncReport.Announced(
                txid, List.copyOf(offered), List.copyOf(taken), List.copyOf(have)));
  }

  BroadcastReport report(Map<NodeAddress, String> problems) {
    return new BroadcastReport(
        txid,
        List.copyOf(taken),
        List.copyOf(accepted),
        List.copyOf(relayed),
        refused,
        problems,
        Optional.empty());
  }
}
